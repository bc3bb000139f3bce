/* LinuxIPLookup: looks up the next hop of IPv4 packets in Linux's routing table. */
#include "ip/ip.h"
#include "linux/hops.h"

/* The words that identify a packet's flow, by the selected fields. */
static __always_inline void SELF(flow)(struct pkt *p, __u32 fields, __u64 *words)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const __u16 *ports;

	words[0] = words[1] = words[2] = 0;
	if (!ip)
		return;
	words[0] = (__u64)(fields & FIELD_SOURCE ? ip->saddr : 0) << 32 | (fields & FIELD_DESTINATION ? ip->daddr : 0);
	words[1] = fields & FIELD_PROTOCOL ? ip->protocol : 0;
	if (!(fields & FIELD_PORTS) || ip->frag_off & htons(0x3fff) || (ip->protocol != 6 && ip->protocol != 17 && ip->protocol != 132 && ip->protocol != 33))
		return;
	ports = pkt_transport_header(p, 4);
	if (ports)
		words[2] = hop_ports(ports, fields);
}

/* Writes the whole annotation, because the gateway may have an IPv6 address (gateway.h). */
static __always_inline void SELF(send_to)(struct pkt *p, const __u8 *gateway)
{
	if (word32(gateway))
		pkt_set_dst_ip(p, word32(gateway));
	word32(p->anno + DST_IP6_ANNO + 4) = word32(gateway + 4);
	word64(p->anno + DST_IP6_ANNO + 8) = word64(gateway + 8);
}

#include "linux/lookup.inc.h"

ELEMENT(LinuxIPLookup)
{
	const __be32 destination = pkt_dst_ip(p);

	return SELF(forward)(p, (const __u8 *)&destination, sizeof(destination));
}
