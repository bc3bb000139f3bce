/* Stateless answers to TCP segments: parsing a segment, SYN cookies, and turning the packet into the answer. IPv4 without options,
 * in the kernel path and in the runtime.
 */
#pragma once

#include "siphash.h"
#include "tcpudp/options.h"
#include "tcpudp/segment.h"

#define TCP_HEADERS (sizeof(struct iphdr) + sizeof(struct tcp_header))
#define COOKIE_TIME 36		/* 2^36 ns is about a minute */
#define COOKIE_DATA 3u		/* bits of a cookie with data */

/* A segment and its answer, in host byte order except for addresses and ports. */
struct exchange {
	__be32 source, destination;
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

/* False if the segment isn't TCP, or is truncated or a fragment, or the kernel can't see its whole header. */
static __always_inline bool exchange_read(struct pkt *p, const struct segment *segment, struct exchange *x)
{
	const struct tcp_header *tcp = pkt_data(p, segment->offset, sizeof(*tcp));
	const __be32 *word;
	__u32 header;

	if (!tcp || segment->length > segment->room || segment->ip->protocol != PROTOCOL_TCP || ip_is_fragment(segment->ip))
		return false;
	header = (tcp->offset >> 4) * 4;
	if (header < sizeof(*tcp) || header > segment->length || !pkt_data(p, segment->offset, header))
		return false;
	*x = (struct exchange){.source = segment->ip->saddr, .destination = segment->ip->daddr, .source_port = tcp->source,
			       .destination_port = tcp->destination, .seq = ntohl(tcp->sequence), .ack = ntohl(tcp->acknowledgement),
			       .flags = tcp->flags & (TCP_FIN | TCP_SYN | TCP_RST | TCP_ACK), .length = segment->length - header,
			       .offset = segment->offset, .header = header, .window = ntohs(tcp->window), .answer_window = 65535};
	word = x->length >= sizeof(*word) ? pkt_data(p, segment->offset + (int)header, sizeof(*word)) : NULL;
	x->word = word ? word32(word) : 0;
	return true;
}

static __always_inline struct tcp_options exchange_options(struct pkt *p, const struct exchange *x)
{
	return tcp_options_read(p, x->offset, x->header);
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

static __always_inline void exchange_write(__u8 *to, const struct exchange *x)
{
	const __u32 header = sizeof(struct tcp_header) + x->option_words * 4, length = header + x->response;
	struct tcp_header *tcp = (struct tcp_header *)(to + sizeof(struct iphdr));
	struct iphdr *ip = (struct iphdr *)to;
	__u64 sum = x->sum;

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
#pragma clang loop unroll(full)
	for (__u32 i = 0; i < TCP_OPTION_WORDS; i++)
		sum += x->options[i];
	tcp->checksum = ~checksum_fold(sum + (__u64)ip->saddr + ip->daddr + htons((__u16)length) + htons(PROTOCOL_TCP) + ip_sum20(tcp));
}

/* Write the answer's headers near the packet's end, with room for the data after them. An Ethernet header of `before` bytes, if
 * any, stays in front. False without room: then nothing has changed. The data begin at before + TCP_HEADERS, after the options.
 */
static __always_inline bool exchange_answer(struct pkt *p, const struct exchange *x, const int before)
{
	const __u32 headers = TCP_HEADERS + x->option_words * 4;
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
#pragma clang loop unroll(full)
	for (__u32 n = 1; n <= TCP_OPTION_WORDS; n++)
		if (n == x->option_words && (to = pkt_data(p, before + (int)TCP_HEADERS, n * 4)))
			for (__u32 i = 0; i < n; i++)
				word32(to + i * 4) = x->options[i];
	pkt_set_network_header(p, before);
	pkt_set_transport_header(p, before + (int)sizeof(struct iphdr));
	pkt_set_dst_ip(p, x->source);
	return true;
}
