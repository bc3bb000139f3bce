/* ResetIPChecksum: computes IP header checksums, and those of TCP and UDP. */
#include "ip/headersum.inc.h"
#include "tcpudp/checksum.h"

static __always_inline int SELF(refuse)(struct pkt *p UNUSED)
{
	count(counters, drops, 1);
	warn(1, "ResetIPChecksum: bad input packet");
	return DROP(MALFORMED);
}

/* The checksum field of a transport header; NULL if the header is truncated. */
static __always_inline __be16 *SELF(field)(struct pkt *p, __u8 protocol)
{
	if (protocol == PROTOCOL_TCP) {
		struct tcp_header *tcp = pkt_transport_header(p, sizeof(*tcp));

		return tcp ? &tcp->checksum : NULL;
	} else {
		struct udp_header *udp = pkt_transport_header(p, sizeof(*udp));

		return udp ? &udp->checksum : NULL;
	}
}

static __always_inline bool SELF(has_sum)(const struct iphdr *ip)
{
	return (ip->protocol == PROTOCOL_TCP || ip->protocol == PROTOCOL_UDP) && !ip_is_fragment(ip);
}

/* The IP header gives the segment's length. A UDP checksum of 0 would mean none (RFC 768). */
static __always_inline int SELF(set_transport_sum)(struct pkt *p, const struct iphdr *ip)
{
	const __u32 length = ntohs(ip->tot_len) - ip_header_length(ip);
	const __u8 protocol = ip->protocol;
	__be16 *field = SELF(field)(p, protocol);
	__u64 sum;

	if (!field)
		return SELF(refuse)(p);
	if (length < (protocol == PROTOCOL_TCP ? sizeof(struct tcp_header) : sizeof(struct udp_header)) || length > transport_length(p))
		return SELF(refuse)(p);
	if (checksum_is_hard(ip, length))
		return PUNT;
	*field = 0;
	if (!transport_sum(p, ip, length, &sum))
		return DROP(MALFORMED);
	*field = ~checksum_fold(sum);
	if (!*field && protocol == PROTOCOL_UDP)
		*field = 0xffff;
	return OUTPUT(0);
}

ELEMENT(ResetIPChecksum)
{
	const struct iphdr *ip = cfg.l4 ? pkt_network_header(p, sizeof(*ip)) : NULL;

	if (ip && SELF(has_sum)(ip)) {
		const int result = SELF(set_transport_sum)(p, ip);

		if (result)
			return result;
	}
	return SELF(set_header_sum)(p) ? OUTPUT(0) : SELF(refuse)(p);
}
