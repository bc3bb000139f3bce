#include "ip/transport.h"
#include "tcpudp/rfc2507.h"

static struct rfc2507_headers *SELF(context)(__u32 number)
{
	return (struct rfc2507_headers *)private(contexts)->headers + number;
}

/* The headers, or NULL if they can't be compressed. */
static struct rfc2507_headers *SELF(headers)(struct pkt *p)
{
	struct rfc2507_headers *h = pkt_data(p, 0, sizeof(*h));

	if (!h || pkt_network_offset(p) || h->ip.version != 4 || h->ip.ihl != 5 || h->ip.protocol != PROTOCOL_TCP)
		return NULL;
	if (h->ip.frag_off & htons(IP_MF | IP_OFFSET) || ntohs(h->ip.tot_len) != pkt_len(p))
		return NULL;
	return h->tcp.ack && !h->tcp.syn && !h->tcp.fin && !h->tcp.rst && !h->tcp.urg ? h : NULL;
}

/* The number of the connection's context, or 0. */
static __u32 SELF(find)(const struct rfc2507_headers *h)
{
	for (__u32 number = 1; number < SELF(CONTEXTS); number++) {
		const struct rfc2507_headers *c = SELF(context)(number);

		if (c->ip.saddr == h->ip.saddr && c->ip.daddr == h->ip.daddr && c->tcp.source == h->tcp.source && c->tcp.dest == h->tcp.dest)
			return number;
	}
	return 0;
}

/* Whether the headers differ only in fields that a compressed packet carries. */
static bool SELF(is_like)(const struct rfc2507_headers *before, const struct rfc2507_headers *h)
{
	struct rfc2507_headers a = *before, b = *h;

	if (ntohl(b.tcp.seq) - ntohl(a.tcp.seq) > 0xFFFF || ntohl(b.tcp.ack_seq) - ntohl(a.tcp.ack_seq) > 0xFFFF)
		return false;
	a.tcp.psh = b.tcp.psh;
	a.tcp.seq = b.tcp.seq;
	a.tcp.ack_seq = b.tcp.ack_seq;
	a.tcp.window = b.tcp.window;
	a.tcp.check = b.tcp.check;
	a.tcp.urg_ptr = b.tcp.urg_ptr;
	a.ip.id = b.ip.id;
	a.ip.tot_len = b.ip.tot_len;
	a.ip.check = b.ip.check;
	return !memcmp(&a, &b, sizeof(a));
}

/* Write an increment; 0 takes three bytes. */
static __u8 *SELF(grown)(__u8 *to, __u32 by)
{
	if (by - 1 < 255) {
		*to++ = by;
		return to;
	}
	*to++ = 0;
	*to++ = by >> 8;
	*to++ = by;
	return to;
}

/* Write an increment and set its flag, unless it is 0. */
static __u8 *SELF(note)(__u8 *to, __u8 *flags, __u8 flag, __u32 by)
{
	if (!by)
		return to;
	*flags |= flag;
	return SELF(grown)(to, by);
}

/* Replace the packet's headers by a compressed one. */
static bool SELF(compress)(struct pkt *p, __u32 number, const struct rfc2507_headers *c, const struct rfc2507_headers *h)
{
	__u8 new[RFC2507_BEFORE + RFC2507_MOST_GROWN] = { RFC2507_COMPRESSED, number, h->tcp.psh ? RFC2507_PUSH : 0 };
	__u8 *to = new + RFC2507_BEFORE, *flags = new + 2;
	__u16 id = ntohs(h->ip.id) - ntohs(c->ip.id);

	memcpy(new + 3, &h->tcp.check, sizeof(h->tcp.check));
	to = SELF(note)(to, flags, RFC2507_URGENT, (__u16)(ntohs(h->tcp.urg_ptr) - ntohs(c->tcp.urg_ptr)));
	to = SELF(note)(to, flags, RFC2507_WINDOW, (__u16)(ntohs(h->tcp.window) - ntohs(c->tcp.window)));
	to = SELF(note)(to, flags, RFC2507_ACK, ntohl(h->tcp.ack_seq) - ntohl(c->tcp.ack_seq));
	to = SELF(note)(to, flags, RFC2507_SEQ, ntohl(h->tcp.seq) - ntohl(c->tcp.seq));
	if (id != 1) {
		*flags |= RFC2507_ID;
		to = SELF(grown)(to, id);
	}
	if (!pkt_pull(p, sizeof(*h)) || !pkt_push(p, to - new))
		return false;
	memcpy(pkt_data(p, 0, to - new), new, to - new);
	return true;
}

/* Prepend a kind and, unless it is 0, a context number. */
static int SELF(lead)(struct pkt *p, __u8 kind, __u32 number)
{
	__u32 length = number ? 2 : 1;
	__u8 *to = pkt_push(p, length) ? pkt_data(p, 0, length) : NULL;

	if (!to)
		return DROP(NO_HEADROOM);
	to[0] = kind;
	if (number)
		to[1] = number;
	return OUTPUT(0);
}

ELEMENT(RFC2507Comp)
{
	const struct rfc2507_headers *found = SELF(headers)(p);
	struct rfc2507_headers before, h;
	__u32 number;

	if (!found)
		return pkt_has_network_header(p) ? SELF(lead)(p, RFC2507_OTHER, 0) : DROP(UNMARKED);
	h = *found;
	number = SELF(find)(&h);
	if (!number) {
		number = private(contexts)->next % (SELF(CONTEXTS) - 1) + 1;
		private(contexts)->next = number;
		memset(SELF(context)(number), 0, sizeof(before));
	}
	before = *SELF(context)(number);
	*SELF(context)(number) = h;
	if (!SELF(is_like)(&before, &h))
		return SELF(lead)(p, RFC2507_FULL, number);
	return SELF(compress)(p, number, &before, &h) ? OUTPUT(0) : DROP(NO_HEADROOM);
}
