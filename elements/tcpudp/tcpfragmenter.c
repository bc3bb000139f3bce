#include "tcpudp/checksum.h"

#define FLAG_FIN 0x01

/* The packet's MTU, headers included; 0 for none. */
static __always_inline __u32 SELF(mtu)(struct pkt *p)
{
	__u32 own = cfg.annotated ? pkt_anno_u16(p, cfg.mtu_anno) : 0;

	return own && (!cfg.mtu || own < cfg.mtu) ? own : cfg.mtu;
}

#if USERSPACE

/* Reduce the segment to `length` bytes from `offset`, and adjust its headers. */
static void SELF(cut)(struct pkt *p, __u32 headers, __u32 offset, __u32 length, bool last)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct tcp_header *tcp = pkt_transport_header(p, sizeof(*tcp));
	__u8 *data = (__u8 *)ip + headers;
	__u64 sum;

	memmove(data, data + offset, length);
	pkt_trim(p, pkt_network_offset(p) + headers + length);
	ip->tot_len = htons((__u16)(headers + length));
	ip->check = 0;
	ip->check = checksum(ip, ip_header_length(ip));
	tcp->sequence = htonl(ntohl(tcp->sequence) + offset);
	if (!last)
		tcp->flags &= ~FLAG_FIN;
	tcp->checksum = 0;
	transport_sum(p, ip, headers - ip_header_length(ip) + length, &sum);
	tcp->checksum = ~checksum_fold(sum);
}

/* Send data / most parts, at most 143 with an MTU of 576 (RFC 9293, 3.7.1) and the longest headers. */
static int SELF(fragment)(struct pkt *p, __u32 headers, __u32 data, __u32 most)
{
	__u32 offset = 0;

	count(counters, fragmented_count, 1);
	for (; offset + most < data; offset += most) {
		struct pkt *part = pkt_clone(p);

		if (!part)
			return DROP(NO_MEMORY);
		SELF(cut)(part, headers, offset, most, false);
		count(counters, fragments, 1);
		emit(part, 0);
	}
	SELF(cut)(p, headers, offset, data - offset, true);
	count(counters, fragments, 1);
	return OUTPUT(0);
}

#endif

MARKED_ELEMENT(TCPFragmenter, const struct iphdr, ip)
{
	const struct tcp_header *tcp;
	__u32 headers, data, mtu = SELF(mtu)(p);

	tcp = pkt_transport_header(p, sizeof(*tcp));
	if (!tcp)
		return DROP(MALFORMED);
	headers = ip_header_length(ip) + (tcp->offset >> 4) * 4;
	data = ntohs(ip->tot_len) - headers;
	if (mtu > headers && data > mtu - headers && (__s32)data > 0) {
		if (!USERSPACE)
			return PUNT;
#if USERSPACE
		count(counters, count, 1);
		if (!pkt_network_data(p, 0, headers + data))
			return DROP(MALFORMED);
		return SELF(fragment)(p, headers, data, mtu - headers);
#endif
	}
	count(counters, count, 1);
	return OUTPUT(0);
}
