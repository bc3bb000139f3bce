#include <string.h>

#define RIP_FIRST 3000000000ull		/* ns */
#define RIP_EVERY 30000000000ull	/* RFC 2453, 3.8 */

TIMER()
{
	struct pkt *p = pkt_new(PKT_HEADROOM, sizeof(SELF(packet)));

	timer_after(RIP_EVERY);
	if (!p)
		return;
	memcpy(p->data, SELF(packet), sizeof(SELF(packet)));
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, sizeof(struct iphdr));
	emit(p, 0);
}

INIT()
{
	timer_after(RIP_FIRST);
	return 0;
}
