/* Stateless answers to TCP segments: parsing a segment, SYN cookies, and turning the packet into the answer. IPv4 without options,
 * in the kernel path and in the runtime.
 */
#pragma once

#include "siphash.h"
#include "tcpudp/segment.h"

#define TCP_HEADERS (sizeof(struct iphdr) + sizeof(struct tcp_header))
#define TCP_OPTIONS 40		/* the most bytes of options, and so the most options */
#define COOKIE_TIME 36		/* 2^36 ns is about a minute */
#define COOKIE_DATA 3u		/* bits of a cookie with data */

/* A segment and its answer, in host byte order except for addresses and ports. */
struct exchange {
	__be32 source, destination;
	__be16 source_port, destination_port;
	__u32 seq, ack, length, word;	/* word: the first bytes of the data, in memory order */
	__u32 header;			/* bytes, with options */
	__u8 flags;			/* FIN, SYN, RST and ACK: a SYN may offer ECN (RFC 3168, 6.1.1) */
	__u16 window;

	__u8 answer;			/* flags */
	__u16 answer_window;		/* by default the largest */
	__u32 answer_seq, answer_ack;
	__u32 response, options;	/* bytes of data, and an option of 4 bytes or 0 */
	__u64 sum;			/* of the data */
};

/* False if the segment isn't TCP, or is truncated or a fragment. */
static __always_inline bool exchange_read(struct pkt *p, const struct segment *segment, struct exchange *x)
{
	const struct tcp_header *tcp = pkt_data(p, segment->offset, sizeof(*tcp));
	const __be32 *word;
	__u32 header;

	if (!tcp || segment->length > segment->room || segment->ip->protocol != PROTOCOL_TCP || ip_is_fragment(segment->ip))
		return false;
	header = (tcp->offset >> 4) * 4;
	if (header < sizeof(*tcp) || header > segment->length)
		return false;
	*x = (struct exchange){.source = segment->ip->saddr, .destination = segment->ip->daddr, .source_port = tcp->source,
			       .destination_port = tcp->destination, .seq = ntohl(tcp->sequence), .ack = ntohl(tcp->acknowledgement),
			       .flags = tcp->flags & (TCP_FIN | TCP_SYN | TCP_RST | TCP_ACK), .length = segment->length - header,
			       .header = header, .window = ntohs(tcp->window), .answer_window = 65535};
	word = x->length >= sizeof(*word) ? pkt_data(p, segment->offset + (int)header, sizeof(*word)) : NULL;
	x->word = word ? word32(word) : 0;
	return true;
}

/* The maximum segment size in a header of so many bytes, `start` from the packet's current start, or 0. */
static __always_inline __u32 header_mss(struct pkt *p, __u32 start, __u32 header)
{
	__u32 at = sizeof(struct tcp_header);

#pragma clang loop unroll(disable)
	for (int i = 0; i < TCP_OPTIONS && at + 4 <= header; i++) {
		const __be32 *word = pkt_data(p, start + at, sizeof(*word));
		const __u32 option = word ? ntohl(word32(word)) : 0, kind = option >> 24;
		const __u32 length = kind == TCP_OPTION_NOP ? 1 : option >> 16 & 0xff;

		if (kind == TCP_OPTION_MSS && length == 4)
			return option & 0xffff;
		if (kind == TCP_OPTION_END || (kind != TCP_OPTION_NOP && length < 2) || length > header - at)
			return 0;
		at += length;
		/* No header is longer. The verifier forgets how it came here, so that it checks the rest once. */
		opaque(at);
		at &= 63;
	}
	return 0;
}

#if USERSPACE
#define exchange_header_mss(p, start, header) header_mss(p, start, header)
#else
/* Inlined, each option would multiply the paths to verify: the verifier checks a global function once, by itself. */
__attribute__((noinline)) __u64 header_mss_apart(struct CONTEXT *ctx, __u32 start, __u32 header)
{
	struct pkt frame = {.ctx = ctx};

	pkt_load(&frame);
	return header_mss(&frame, start, header);
}

#define exchange_header_mss(p, start, header) header_mss_apart((p)->ctx, (p)->off + (start), header)
#endif

/* The maximum segment size that a SYN announces, or 0. Its option may come after any others (RFC 9293, 3.1). */
static __always_inline __u32 exchange_mss(struct pkt *p, const struct segment *segment, const struct exchange *x)
{
	/* Let the packet notice bytes that the kernel can't see: the function can't. */
	return pkt_data(p, segment->offset, x->header) ? exchange_header_mss(p, segment->offset, x->header) : 0;
}

/* The maximum segment sizes that a cookie can encode, as in Linux: that of its data, and the data for what a SYN announces. */
static __always_inline __u32 cookie_mss(__u32 data)
{
	return data == 3 ? 1460 : data == 2 ? 1440 : data == 1 ? 1300 : 536;
}

static __always_inline __u32 cookie_data(__u32 mss)
{
	return mss >= 1460 ? 3 : mss >= 1440 ? 2 : mss >= 1300 ? 1 : 0;
}

/* The sequence number of an answer to a SYN, `ago` minutes ago: a keyed hash (RFC 4987, 3.6), with `data` in its last bits. */
static __always_inline __u32 cookie_of(const __u64 key[2], const struct exchange *x, __u32 ago, __u32 data)
{
	const __u64 ports = (__u64)x->source_port << 16 | x->destination_port;
	const __u64 words[2] = {(__u64)x->source << 32 | x->destination, ports << 32 | (__u32)((now_coarse() >> COOKIE_TIME) - ago)};

	/* Mix the data in, so that a cookie isn't valid with other data. */
	return ((__u32)siphash(key, words, 2, 2, 4) + data * 0x9e3779b4u) & ~COOKIE_DATA | data;
}

/* Whether a segment acknowledges a cookie of the last minute or two. */
static __always_inline bool cookie_is_acknowledged(const __u64 key[2], const struct exchange *x)
{
	const __u32 cookie = x->ack - 1;

	return cookie == cookie_of(key, x, 0, cookie & COOKIE_DATA) || cookie == cookie_of(key, x, 1, cookie & COOKIE_DATA);
}

/* Make the answer a SYN-ACK. */
static __always_inline void exchange_accept(struct exchange *x, const __u64 key[2], __u32 data)
{
	x->answer = TCP_SYN | TCP_ACK;
	x->answer_seq = cookie_of(key, x, 0, data);
	x->answer_ack = x->seq + 1;
}

static __always_inline void exchange_write(__u8 *to, const struct exchange *x)
{
	const __u32 header = sizeof(struct tcp_header) + (x->options ? sizeof(x->options) : 0), length = header + x->response;
	struct tcp_header *tcp = (struct tcp_header *)(to + sizeof(struct iphdr));
	struct iphdr *ip = (struct iphdr *)to;

	word32(to) = htonl((__u32)IP_PLAIN << 24 | (length + sizeof(*ip)));
	word32(to + 4) = htonl(IP_DF);
	word32(to + 8) = htonl(64u << 24 | PROTOCOL_TCP << 16);
	ip->saddr = x->destination;
	ip->daddr = x->source;
	ip->check = ~checksum_fold(ip_sum20(ip));
	tcp->source = x->destination_port;
	tcp->destination = x->source_port;
	tcp->sequence = htonl(x->answer_seq);
	tcp->acknowledgement = htonl(x->answer_ack);
	word32(&tcp->offset) = htonl(header << 26 | (__u32)x->answer << 16 | x->answer_window);
	word32(&tcp->checksum) = 0;
	tcp->checksum = ~checksum_fold(x->sum + x->options + (__u64)ip->saddr + ip->daddr + htons((__u16)length) + htons(PROTOCOL_TCP) +
				       ip_sum20(tcp));
}

/* Write the answer's headers near the packet's end, with room for the data after them. An Ethernet header of `before` bytes, if
 * any, stays in front. False without room: then nothing has changed. The data begin at before + TCP_HEADERS, after an option.
 */
static __always_inline bool exchange_answer(struct pkt *p, const struct exchange *x, const int before)
{
	const __u32 headers = TCP_HEADERS + (x->options ? sizeof(x->options) : 0);
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
	to = pkt_data(p, 0, before + TCP_HEADERS);
	if (!to)
		return true;
	if (before) {
		word64(to) = first;
		word32(to + 8) = second;
		word16(to + 12) = third;
	}
	exchange_write(to + before, x);
	to = x->options ? pkt_data(p, before + (int)TCP_HEADERS, sizeof(x->options)) : NULL;
	if (to)
		word32(to) = x->options;
	pkt_set_network_header(p, before);
	pkt_set_transport_header(p, before + (int)sizeof(struct iphdr));
	pkt_set_dst_ip(p, x->source);
	return true;
}
