/* Prepends IPv6 headers described by the state `vars` (_encap.py). No include guard: the text is compiled for each instance. */
#include "ip6/address.h"
#include "ip6/ip6.h"

/* Writes a header to `ip`, the packet's beginning, and marks it. */
static __always_inline void SELF(write_ip6)(struct pkt *p, struct ip6_header *ip, const struct SELF(vars) *vars, __u8 class, __u8 next, __u8 hops)
{
	ip->first = htonl(6u << 28 | (__u32)class << 20);
	ip->length = htons((__u16)(pkt_len(p) - sizeof(*ip)));
	ip->next = next;
	ip->hops = hops;
	ip6_copy(ip->source, ip6_var(vars, src));
	if (vars->from_annotation)
		ip6_copy(ip->destination, p->anno + DST_IP6_ANNO);
	else
		ip6_copy(ip->destination, ip6_var(vars, dst));
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, sizeof(*ip));
	pkt_set_dst_ip6(p, ip->destination);
}
