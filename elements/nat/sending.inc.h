/* Sends packets to servers (balancer.inc.h) by their addresses. No include guard: the text is compiled for each instance. */
#include "nat/family.inc.h"

/* Set a packet's destination, and update checksums. */
static __always_inline int SELF(send_to)(struct pkt *p, void *header, int number)
{
	struct SELF(servers) *server = number < 0 ? NULL : at(servers, number);

	if (!server)
		return DROP(NO_ROUTE);
	SELF(readdress)(p, header, false, server->address);
	if (pkt_is_unseen(p))
		return OUTPUT(0);
	if (cfg.ip6)
		pkt_set_dst_ip6(p, server->address);
	else
		pkt_set_dst_ip(p, word32(server->address));
	SELF(track)(p, server);
	return OUTPUT(0);
}
