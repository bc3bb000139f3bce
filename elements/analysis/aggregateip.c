#include "ip/transport.h"

/* The word with a field after the transport header. The kernel path leaves these fields to the runtime. */
static __always_inline const void *SELF(payload_word)(struct pkt *p, const struct iphdr *ip)
{
#if USERSPACE
	const struct tcp_header *tcp = pkt_transport_header(p, sizeof(*tcp));
	__u32 header = ip->protocol == PROTOCOL_UDP ? sizeof(struct udp_header) : tcp ? (tcp->offset >> 4) * 4 : 0;

	if (header)
		return pkt_data(p, pkt_transport_offset(p) + header + cfg.offset, 4);
#endif
	return NULL;
}

static __always_inline const void *SELF(word)(struct pkt *p, const struct iphdr *ip)
{
	const char *header;

	if (cfg.in_ip)
		return pkt_network_data(p, cfg.offset, 4);
	if (!ip_is_first_fragment(ip))
		return NULL;
	if (!cfg.any_protocol && ip->protocol != cfg.protocols[0] && ip->protocol != cfg.protocols[1])
		return NULL;
	if (cfg.in_payload)
		return SELF(payload_word)(p, ip);
	header = pkt_transport_header(p, cfg.offset + 4);
	return header ? header + cfg.offset : NULL;
}

ELEMENT(AggregateIP)
{
	const struct iphdr *ip;
	const void *word;
	__u32 value;

	if (!USERSPACE && cfg.in_payload)
		return PUNT;
	ip = pkt_network_header(p, sizeof(*ip));
	if (!ip)
		return OUTPUT(1);
	word = SELF(word)(p, ip);
	if (!word)
		return OUTPUT(1);
	value = (ntohl(word32(word)) >> cfg.shift) & cfg.mask;
	if (cfg.incremental)
		value += pkt_anno_u32(p, AGGREGATE_ANNO) << cfg.bits;
	pkt_set_anno_u32(p, AGGREGATE_ANNO, value);
	return OUTPUT(0);
}
