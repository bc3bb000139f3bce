/* Stateless answers to TCP segments: parsing a segment, SYN cookies, and turning the packet into the answer. IPv4 without options
 * and IPv6, in the kernel path and in the runtime.
 */
#pragma once

#include "ip6/ip6.h"
#include "siphash.h"
#include "tcpudp/options.h"
#include "tcpudp/segment.h"

#define TCP_HEADERS (sizeof(struct iphdr) + sizeof(struct tcp_header))		/* with IPv4 */
#define COOKIE_TIME 36		/* 2^36 ns is about a minute */
#define COOKIE_DATA 3u		/* bits of a cookie with data */
#define COOKIE_MIX 0x9e3779b4u	/* what data change in the other bits */

/* A segment and its answer, in host byte order except for addresses and ports. */
struct exchange {
	bool ip6;
	__u64 source[2], destination[2];	/* an IPv4 address is the first word */
	__be16 source_port, destination_port;
	__u32 seq, ack, length, word;	/* word: the first bytes of the data, in memory order */
	int offset;			/* of its header, from the packet's current start */
	__u32 header;			/* bytes, with options */
	__u8 flags;			/* FIN, SYN, RST and ACK: a SYN may offer ECN (RFC 3168, 6.1.1) */
	__u16 window;

	__u8 answer;			/* flags */
	__u16 answer_window;		/* by default the largest */
	__u32 answer_seq, answer_ack;
	__u32 response;			/* bytes of data */
	__u64 sum;			/* of the data */
	__u32 option_words;
	__be32 options[TCP_OPTION_WORDS];
};

/* Read a segment of `length` bytes, but not its addresses. False if its header is invalid, or the kernel can't see it. */
static __always_inline bool exchange_read_header(struct pkt *p, int offset, __u32 length, struct exchange *x)
{
	const struct tcp_header *tcp = pkt_data(p, offset, sizeof(*tcp));
	const __be32 *word;
	__u32 header;

	if (!tcp)
		return false;
	header = (tcp->offset >> 4) * 4;
	if (header < sizeof(*tcp) || header > length || !pkt_data(p, offset, header))
		return false;
	*x = (struct exchange){.source_port = tcp->source, .destination_port = tcp->destination, .seq = ntohl(tcp->sequence),
			       .ack = ntohl(tcp->acknowledgement), .flags = tcp->flags & (TCP_FIN | TCP_SYN | TCP_RST | TCP_ACK),
			       .length = length - header, .offset = offset, .header = header, .window = ntohs(tcp->window),
			       .answer_window = 65535};
	word = x->length >= sizeof(*word) ? pkt_data(p, offset + (int)header, sizeof(*word)) : NULL;
	x->word = word ? word32(word) : 0;
	return true;
}

static __always_inline void exchange_set_ends(struct exchange *x, const struct iphdr *ip)
{
	x->ip6 = false;
	x->source[0] = ip->saddr;
	x->destination[0] = ip->daddr;
}

static __always_inline void exchange_set_ends6(struct exchange *x, const struct ip6_header *ip)
{
	x->ip6 = true;
	ip6_copy(x->source, ip->source);
	ip6_copy(x->destination, ip->destination);
}

/* False if the segment isn't TCP, or is truncated or a fragment, or the kernel can't see its whole header. */
static __always_inline bool exchange_read(struct pkt *p, const struct segment *segment, struct exchange *x)
{
	if (segment->length > segment->room || segment->ip->protocol != PROTOCOL_TCP || ip_is_fragment(segment->ip) ||
	    !exchange_read_header(p, segment->offset, segment->length, x))
		return false;
	exchange_set_ends(x, segment->ip);
	return true;
}

/* The same for IPv6. */
static __always_inline bool exchange_read6(struct pkt *p, const struct ip6_header *ip, const struct ip6_inner *inner, struct exchange *x)
{
	const int length = ip6_inner_length(ip, inner), offset = pkt_network_offset(p) + inner->offset;

	if (inner->protocol != PROTOCOL_TCP || inner->fragment || length < 0 || length > (int)pkt_len(p) - offset ||
	    !exchange_read_header(p, offset, length, x))
		return false;
	exchange_set_ends6(x, ip);
	return true;
}

static __always_inline struct tcp_options exchange_options(struct pkt *p, const struct exchange *x)
{
	return tcp_options_read(p, x->offset, x->header);
}

/* The maximum segment sizes that a cookie can encode, as in Linux: that of its data, and the data for what a SYN announces. The smallest
 * is what every host takes by either protocol (RFC 9293, 3.7.1).
 */
static __always_inline __u32 cookie_mss(__u32 data, bool ip6)
{
	return data == 3 ? 1460 : data == 2 ? 1440 : data == 1 ? 1300 : ip6 ? 1220 : 536;
}

static __always_inline __u32 cookie_data(__u32 mss)
{
	return mss >= 1460 ? 3 : mss >= 1440 ? 2 : mss >= 1300 ? 1 : 0;
}

/* The sequence number of an answer to a SYN, `ago` minutes ago: a keyed hash (RFC 4987, 3.6), with `data` in its last bits. */
static __always_inline __u32 cookie_of(const __u64 key[2], const struct exchange *x, __u32 ago, __u32 data)
{
	const __u32 minute = (now_coarse() >> COOKIE_TIME) - ago;
	const __u64 last = ((__u64)x->source_port << 16 | x->destination_port) << 32 | minute;
	const __u64 words[2] = {x->source[0] << 32 | x->destination[0], last};
	const __u64 words6[5] = {x->source[0], x->source[1], x->destination[0], x->destination[1], last};
	const __u32 hash = x->ip6 ? siphash(key, words6, 5, 2, 4) : siphash(key, words, 2, 2, 4);

	/* Mix the data in, so that a cookie isn't valid with other data. */
	return (hash ^ data * COOKIE_MIX) & ~COOKIE_DATA | data;
}

/* The first byte of a cookie's hash, the same for all data. */
static __always_inline __u32 cookie_first(__u32 cookie)
{
	return (cookie ^ (cookie & COOKIE_DATA) * COOKIE_MIX) >> 24;
}

/* Whether a number is a cookie of the last minute or two. */
static __always_inline bool cookie_is_of(const __u64 key[2], const struct exchange *x, __u32 cookie)
{
	return cookie == cookie_of(key, x, 0, cookie & COOKIE_DATA) || cookie == cookie_of(key, x, 1, cookie & COOKIE_DATA);
}

static __always_inline bool cookie_is_acknowledged(const __u64 key[2], const struct exchange *x)
{
	return cookie_is_of(key, x, x->ack - 1);
}

/* Make the answer a SYN-ACK. */
static __always_inline void exchange_accept(struct exchange *x, const __u64 key[2], __u32 data)
{
	x->answer = TCP_SYN | TCP_ACK;
	x->answer_seq = cookie_of(key, x, 0, data);
	x->answer_ack = x->seq + 1;
}

static __always_inline void exchange_add_options(struct exchange *x, const struct tcp_options *o)
{
	x->option_words = tcp_options_write(x->options, o);
}

/* Bytes of the answer's IP header. */
static __always_inline __u32 exchange_ip_header(const struct exchange *x)
{
	return x->ip6 ? sizeof(struct ip6_header) : sizeof(struct iphdr);
}

/* Write the IP header of an answer of `length` bytes; the sum of its pseudo-header. */
static __always_inline __u64 exchange_write_ip(__u8 *to, const struct exchange *x, __u32 length)
{
	struct iphdr *ip = (struct iphdr *)to;

	word32(to) = htonl((__u32)IP_PLAIN << 24 | (length + sizeof(*ip)));
	word32(to + 4) = htonl(IP_DF);
	word32(to + 8) = htonl(64u << 24 | PROTOCOL_TCP << 16);
	ip->saddr = x->destination[0];
	ip->daddr = x->source[0];
	ip->check = ~checksum_fold(ip_sum20(ip));
	return (__u64)ip->saddr + ip->daddr + htons((__u16)length) + htons(PROTOCOL_TCP);
}

static __always_inline __u64 exchange_write_ip6(__u8 *to, const struct exchange *x, __u32 length)
{
	struct ip6_header *ip = (struct ip6_header *)to;

	word32(to) = htonl(6u << 28);
	word32(to + 4) = htonl(length << 16 | PROTOCOL_TCP << 8 | 64);
	ip6_copy(ip->source, x->destination);
	ip6_copy(ip->destination, x->source);
	return ip6_pseudo_sum(ip->source, ip->destination, length, PROTOCOL_TCP);
}

static __always_inline void exchange_write(__u8 *to, const struct exchange *x)
{
	const __u32 header = sizeof(struct tcp_header) + x->option_words * 4, length = header + x->response;
	struct tcp_header *tcp = (struct tcp_header *)(to + exchange_ip_header(x));
	__u64 sum = x->sum + (x->ip6 ? exchange_write_ip6(to, x, length) : exchange_write_ip(to, x, length));

	tcp->source = x->destination_port;
	tcp->destination = x->source_port;
	tcp->sequence = htonl(x->answer_seq);
	tcp->acknowledgement = htonl(x->answer_ack);
	word32(&tcp->offset) = htonl(header << 26 | (__u32)x->answer << 16 | x->answer_window);
	word32(&tcp->checksum) = 0;
#pragma clang loop unroll(full)
	for (__u32 i = 0; i < TCP_OPTION_WORDS; i++)
		sum += x->options[i];
	tcp->checksum = ~checksum_fold(sum + ip_sum20(tcp));
}

/* Write the answer's headers near the packet's end, with room for the data after them. An Ethernet header of `before` bytes, if
 * any, stays in front. False without room: then nothing has changed. The data begin after the options: in IPv4 without any, at before + TCP_HEADERS.
 */
static __always_inline bool exchange_answer(struct pkt *p, const struct exchange *x, const int before)
{
	const __u32 fixed = exchange_ip_header(x) + sizeof(struct tcp_header), headers = fixed + x->option_words * 4;
	const __u8 *from = pkt_data(p, 0, before);
	__u64 first = 0;
	__u32 second = 0;
	__u16 third = 0;
	__u8 *to;

	if (before && from) {
		first = word64(from);
		second = word32(from + 8);
		third = word16(from + 12);
	}
	/* The kernel path can't write to the last fragment of a multi-buffer frame: find out before anything has changed. */
	if (!pkt_data(p, (int)pkt_len(p) - 1, 1) || !pkt_begin(p, (int)(pkt_len(p) - headers - x->response) - before))
		return false;
	pkt_renew(p);
	to = pkt_data(p, 0, before + fixed);
	if (!to)
		return true;
	if (before) {
		word64(to) = first;
		word32(to + 8) = second;
		word16(to + 12) = third;
	}
	exchange_write(to + before, x);
#pragma clang loop unroll(full)
	for (__u32 n = 1; n <= TCP_OPTION_WORDS; n++)
		if (n == x->option_words && (to = pkt_data(p, before + (int)fixed, n * 4)))
			for (__u32 i = 0; i < n; i++)
				word32(to + i * 4) = x->options[i];
	pkt_set_network_header(p, before);
	pkt_set_transport_header(p, before + (int)exchange_ip_header(x));
	if (x->ip6)
		pkt_set_dst_ip6(p, x->source);
	else
		pkt_set_dst_ip(p, x->source[0]);
	return true;
}
