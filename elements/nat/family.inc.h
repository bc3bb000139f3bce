/* Addresses of a balancer and its servers, all IPv4 or all IPv6 (cfg.ip6), in 16 bytes each. No include guard: the text is compiled
 * for each instance.
 */
#include "ip/readdress.h"
#include "ip6/readdress6.h"

/* The packet's IP header; NULL if it has none of that version. */
static __always_inline void *SELF(header)(struct pkt *p)
{
	if (ip_version_of(p) != (cfg.ip6 ? 6 : 4))
		return NULL;
	return pkt_network_header(p, cfg.ip6 ? sizeof(struct ip6_header) : sizeof(struct iphdr));
}

static __always_inline void SELF(readdress)(struct pkt *p, void *header, bool source, const void *address)
{
	if (cfg.ip6)
		ip6_readdress(p, header, source ? offsetof(struct ip6_header, source) : offsetof(struct ip6_header, destination), address);
	else
		ip_readdress(p, header, source ? offsetof(struct iphdr, saddr) : offsetof(struct iphdr, daddr), word32(address));
}
