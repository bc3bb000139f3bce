#include "icmp/icmp.h"
#include "ip/transport.h"
#include "common/truncate.inc.h"

/* Messages with timestamps have longer headers than others (RFC 792). */
static __always_inline __u32 SELF(icmp_header_length)(__u8 type)
{
	return type == ICMP_TIMESTAMP_REQUEST || type == ICMP_TIMESTAMP_ANSWER ? 20 : 8;
}

static __always_inline __u32 SELF(transport_header_length)(struct pkt *p, __u8 protocol)
{
	const struct tcp_header *tcp;
	const __u8 *icmp;

	switch (protocol) {
	case PROTOCOL_TCP:
		tcp = pkt_transport_header(p, 13);
		return tcp && tcp->offset >> 4 >= 5 ? (tcp->offset >> 4) * 4 : sizeof(*tcp);
	case PROTOCOL_UDP:
		return sizeof(struct udp_header);
	case PROTOCOL_ICMP:
		icmp = pkt_transport_header(p, 8);
		return icmp ? SELF(icmp_header_length)(*icmp) : 0;
	}
	return 0;
}

/* Bytes of headers, from the network header on. */
static __always_inline __u32 SELF(headers)(struct pkt *p)
{
	const __u8 *at = pkt_network_data(p, 0, 1);
	__u32 length = at ? (*at & 0xf) * 4 : 0;

	if (length < sizeof(struct iphdr))
		return sizeof(struct iphdr);
	at = cfg.transport ? pkt_network_data(p, 0, 10) : NULL;
	return at ? length + SELF(transport_header_length)(p, at[9]) : length;
}

ELEMENT(TruncateIPPayload)
{
	__u32 kept = cfg.length;

	if (pkt_has_network_header(p))
		kept += pkt_network_offset(p) + SELF(headers)(p);
	if ((__s32)kept < 0)
		kept = 0;
	return SELF(truncate)(p, kept);
}
