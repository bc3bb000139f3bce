/* LinuxIP6Lookup: looks up the next hop of IPv6 packets in Linux's routing table. */
#include "ip6/ip6.h"
#include "linux/hops.h"

/* The words that identify a packet's flow, by the selected fields. */
static __always_inline void SELF(flow)(struct pkt *p, __u32 fields, __u64 *words)
{
	const struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	const __u16 *ports;

	words[0] = words[1] = words[2] = 0;
	if (!ip)
		return;
	if (fields & FIELD_SOURCE)
		ip6_copy(words, ip->source);
	if (fields & FIELD_DESTINATION) {
		words[0] ^= ip6_high(ip->destination) * 0x9e3779b97f4a7c15ull;
		words[1] ^= ip6_low(ip->destination) * 0x9e3779b97f4a7c15ull;
	}
	words[2] = (__u64)(fields & FIELD_PROTOCOL ? ip->next : 0) << 32 | (fields & FIELD_LABEL ? ip->first & htonl(0xfffff) : 0);
	if (!(fields & FIELD_PORTS) || (ip->next != 6 && ip->next != 17 && ip->next != 132 && ip->next != 33))
		return;
	ports = pkt_network_data(p, sizeof(*ip), 4);
	if (ports)
		words[2] ^= hop_ports(ports, fields);
}

static __always_inline void SELF(send_to)(struct pkt *p, const __u8 *gateway)
{
	if (!ip6_is_zero(gateway))
		pkt_set_dst_ip6(p, gateway);
}

#include "linux/lookup.inc.h"

ELEMENT(LinuxIP6Lookup)
{
	/* Copy the annotation in words: if it were read in bytes, clang would keep it in bytes on a fused path. */
	const __u64 destination[2] = { ip6_high(p->anno + DST_IP6_ANNO), ip6_low(p->anno + DST_IP6_ANNO) };

	return SELF(forward)(p, (const __u8 *)destination, sizeof(destination));
}
