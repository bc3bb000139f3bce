#include "tcpudp/checksum.h"

#define FIN 0x01
#define SYN 0x02
#define RST 0x04
#define PSH 0x08
#define ACK 0x10

/* Turn the segment into its answer; `length` is the number of data bytes, negative if the header exceeds the segment. False, with
 * nothing changed, if there is no answer.
 */
static __always_inline bool SELF(answer)(struct tcp_header *tcp, int length)
{
	__u8 flags = tcp->flags & ~PSH;
	__u32 sequence = ntohl(tcp->sequence);

	if (flags == SYN) {
		tcp->flags = SYN | ACK;
		tcp->sequence = random_u32();
		tcp->acknowledgement = htonl(sequence + 1);
		return true;
	}
	if (flags & (SYN | RST) || (length <= 0 && !(flags & FIN)))
		return false;
	tcp->flags = flags & FIN ? ACK | FIN : ACK;
	tcp->sequence = tcp->acknowledgement;
	tcp->acknowledgement = htonl(sequence + length + (flags & FIN ? 1 : 0));
	return true;
}

static __always_inline void SELF(turn)(struct pkt *p, struct iphdr *ip, struct tcp_header *tcp)
{
	__be32 source = ip->saddr;
	__be16 port = tcp->source;

	ip->saddr = ip->daddr;
	ip->daddr = source;
	ip->ttl = 250;
	ip->tot_len = htons((__u16)pkt_len(p));
	ip->check = 0;
	tcp->source = tcp->destination;
	tcp->destination = port;
	tcp->window = htons(60 * 1024);
	tcp->checksum = 0;
	pkt_set_dst_ip(p, source);
}

ELEMENT(TCPReflector)
{
	struct iphdr *ip = pkt_data(p, 0, sizeof(*ip));
	struct tcp_header *tcp;
	__u32 length;
	__u64 sum;

	if (!ip)
		return DROP(MALFORMED);
	if (ip_header_length(ip) < sizeof(*ip))
		return DROP(MALFORMED);
	if (!USERSPACE && (ip_header_length(ip) > sizeof(*ip) || pkt_len(p) > SUM_MOST))
		return PUNT;
	tcp = pkt_data(p, ip_header_length(ip), sizeof(*tcp));
	if (!tcp)
		return DROP(MALFORMED);
	length = pkt_len(p) - ip_header_length(ip);
	if (!SELF(answer)(tcp, (int)length - (tcp->offset >> 4) * 4))
		return DROP(FILTERED);
	SELF(turn)(p, ip, tcp);
	sum = (__u64)ip->saddr + ip->daddr + htons((__u16)length) + htons(ip->protocol);
	if (!sum_bytes(p, ip_header_length(ip), length, &sum))
		return DROP(MALFORMED);
	tcp->checksum = ~checksum_fold(sum);
	sum = 0;
	if (!sum_ip_header(p, 0, ip, ip_header_length(ip), &sum))
		return DROP(MALFORMED);
	ip->check = ~checksum_fold(sum);
	return OUTPUT(0);
}
