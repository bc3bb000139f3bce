/* Common parts of summaries' fields, for userspace/summary/ only. */
#pragma once

#include <linux/icmp.h>
#include <linux/ip.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <netinet/in.h>
#include <netinet/ip6.h>
#include "annotations.h"
#include "summary/summary.h"

/* A field's value, between a packet and its text. */
struct summary_value {
	__u64 number;		/* host order; a time is in nanoseconds */
	const __u8 *bytes;	/* options, payload, Ethernet address */
	__u32 length;		/* number of bytes */
};

/* A packet to summarise. */
struct summary_view {
	struct pkt *p;
	const struct iphdr *ip;		/* headers, if valid; only `network_length` bytes are present */
	const struct ip6_hdr *ip6;	/* a complete header */
	struct summary_chain chain;	/* what follows the IPv6 header */
	const __u8 *transport;		/* NULL if missing, as in fragments after the first */
	int protocol;
	const struct tcphdr *tcp;
	const struct udphdr *udp;
	const struct icmphdr *icmp;
	int padding;			/* bytes after the IP packet */
	int length, network_length, transport_length;	/* without those bytes */
	struct text *bad;		/* receives a line about a bad packet, unless NULL */
	bool careful, extra_length;
	const struct summary_name *names;
	struct summary_value value;
};

/* A packet under construction from its summary. */
struct summary_maker {
	struct pkt *p;
	bool is_ip, zero, failed;
	bool is_ip6;			/* an IPv6 header exists */
	bool has_icmp_type, has_icmp_code, has_ip_hl, has_tcp_hl;
	__u8 protocol;			/* of packets without a protocol in their summary */
	const struct summary_flow *flow;
	int version;			/* the file's minor version */
	__u32 length;			/* the packet's original length, 0 if unknown */
	const struct summary_name *names;
	struct summary_value value;
	struct text scratch;		/* may hold the value's bytes */
};

/* Addresses (IPv4's in the first four bytes) and ports, in network order. */
struct summary_flow {
	bool is_ip6;
	__u8 src[16], dst[16];
	__be16 sport, dport;
};

/* The More Fragments bit in values of the format fragment_offset, as in the IP header's field. */
#define SUMMARY_MORE 0x2000

/* The format of values. In a record a value takes `size` bytes, or a length byte and that many bytes. */
struct summary_format {
	int size;
	void (*print)(const struct summary_view *view, struct text *out);
	bool (*scan)(struct summary_maker *maker, const char *at, const char *end);
	/* NULL for a big-endian number. `found` is false if the packet doesn't have the field. */
	void (*pack)(const struct summary_view *view, bool found, struct text *out);
	bool (*unpack)(struct summary_maker *maker, const __u8 *at, int length);
};

#define SIZE_VARIES (-1)
#define TEXT_ONLY (-2)

#define GET(field) EXPORT bool summary_get_##field(struct summary_view *v)
#define SET(field) EXPORT void summary_set_##field(struct summary_maker *m)
/* GET and SET in one line: an expression that stores the value, or is false; a statement, executed if the packet can have the
 * field.
 */
#define GET_AS(field, got) EXPORT bool summary_get_##field(struct summary_view *v) { return got; }
#define SET_AS(field, can, statement) EXPORT void summary_set_##field(struct summary_maker *m) { if (can) statement; }
#define FORMAT(name) EXPORT const struct summary_format summary_format_##name

/* The length of a TCP header, in words. Read as a byte: a bit field's read would include the next byte, which a truncated packet
 * may lack.
 */
static inline int tcp_words(const void *tcp)
{
	return ((const __u8 *)tcp)[12] >> 4;
}

static inline void set_tcp_words(void *tcp, int words)
{
	__u8 *at = (__u8 *)tcp + 12;

	*at = (*at & 0x0f) | words << 4;
}

static inline bool is_first_fragment(const struct iphdr *ip)
{
	return !(ip->frag_off & __builtin_bswap16(0x1fff));
}

static inline bool got_number(struct summary_view *v, __u64 number)
{
	v->value.number = number;
	return true;
}

static inline bool got_bytes(struct summary_view *v, const void *bytes, __u32 length)
{
	v->value.bytes = bytes;
	v->value.length = length;
	return true;
}

/* A 32-bit word in network order, at any alignment. */
static inline __u32 big_endian(const __u8 *at)
{
	return (__u32)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
}

/* For formats with a fixed number of bytes, at most 16: `pack`, with their number, and `unpack`. */
static inline void pack_bytes(const struct summary_view *v, bool found, int size, struct text *out)
{
	static const __u8 none[16];

	text_add(out, found ? v->value.bytes : none, size);
}

static inline bool unpack_bytes(struct summary_maker *m, const __u8 *at, int length __attribute__((unused)))
{
	m->value.bytes = at;
	return true;
}

/* Write a line before the packet's to say why a field is missing; returns false. `protocol` is an IP protocol or one of these;
 * `length` is the number of bytes that the field needs.
 */
enum { OF_IP = 0, OF_TCP_OR_UDP = 256, OF_IP6, OF_ETHERNET = 260 };
bool summary_missing(const struct summary_view *v, int protocol, int length);

/* Ensure that the packet has an IPv4 header, an IPv6 header, or either (IPv4 by default), with this protocol unless it is 0, and a
 * transport header. False if it can't.
 */
bool make_ip(struct summary_maker *m, int protocol);
bool make_ip6(struct summary_maker *m);
bool make_network(struct summary_maker *m, int protocol);
bool make_transport(struct summary_maker *m);
bool make_room(struct summary_maker *m, int n);		/* n more bytes at the end */

static inline struct iphdr *made_ip(const struct summary_maker *m)
{
	return (struct iphdr *)(m->p->head + m->p->net);
}

static inline struct ip6_hdr *made_ip6(const struct summary_maker *m)
{
	return (struct ip6_hdr *)(m->p->head + m->p->net);
}

/* The fragment header, the only extension header that is made, or NULL. */
static inline struct ip6_frag *made_fragment(const struct summary_maker *m)
{
	return m->is_ip6 && made_ip6(m)->ip6_nxt == IPPROTO_FRAGMENT ? (struct ip6_frag *)(made_ip6(m) + 1) : NULL;
}

/* The protocol byte of a packet's network header. */
static inline __u8 *made_protocol(const struct summary_maker *m)
{
	if (!m->is_ip6)
		return &made_ip(m)->protocol;
	return made_fragment(m) ? &made_fragment(m)->ip6f_nxt : &made_ip6(m)->ip6_nxt;
}

static inline bool made_first_fragment(const struct summary_maker *m)
{
	if (!m->is_ip6)
		return is_first_fragment(made_ip(m));
	return !made_fragment(m) || !(made_fragment(m)->ip6f_offlg & IP6F_OFF_MASK);
}

static inline void *made_transport(const struct summary_maker *m)
{
	return m->p->head + m->p->trans;
}

static inline int made_network_length(const struct summary_maker *m)
{
	return m->p->net == NO_HEADER ? 0 : m->p->tail - (m->p->head + m->p->net);
}

static inline int made_transport_length(const struct summary_maker *m)
{
	return m->p->trans == NO_HEADER ? 0 : m->p->tail - (m->p->head + m->p->trans);
}

/* Ensure that at least this many bytes follow the start of the transport header. */
static inline bool make_transport_room(struct summary_maker *m, int length)
{
	int more = length - made_transport_length(m);

	return more <= 0 || make_room(m, more);
}

/* The value of a name (a number stands for itself), and the name of a value, or NULL. */
bool summary_name_value(const struct summary_name *names, int kind, const char *at, const char *end, __u64 *value);
/* An IPv4 address in host order, from a name or dotted decimal. */
bool summary_address(const struct summary_name *names, const char *at, const char *end, __u64 *address);
/* The protocol of a letter: T, U or I; 0 for other texts. */
int summary_protocol(const char *at, const char *end);
/* An IPv6 address, 16 bytes, unchanged if the text is invalid. */
bool summary_address6(const char *at, const char *end, __u8 *address);
const char *summary_value_name(const struct summary_name *names, int kind, __u64 value);

/* Texts of values in lines. */
bool scan_number(struct summary_maker *m, const char *at, const char *end, int bits);
void print_number(const struct summary_view *v, struct text *out);
