/* SYNProxy: a connection begins here, and reaches its server once the client has acknowledged a cookie. */
#include "tcpudp/answer.h"

#define ENDED (SELF(ENDED_BY_CLIENT) | SELF(ENDED_BY_SERVER))
#define TIME_MASK ((1u << SELF(TIME_BITS)) - 1)
/* Times this close to a turn of the clock come from CPUs whose clocks are slightly ahead. */
#define CLOCKS_AHEAD 0xffu

/* A connection, as found in its bucket or to be put there; without a slot there, `slot` is WAYS. */
struct SELF(connection) {
	struct SELF(connections) *bucket;
	__u32 slot;
	__u64 hash, state;
	__u32 cookie, isn;		/* initial sequence numbers that the client has seen, and has chosen */
};

static __always_inline __u32 SELF(server_isn)(const struct SELF(connection) *c)
{
	return c->state >> 32;
}

static __always_inline __u32 SELF(time)(void)
{
	return (__u32)(now_coarse() >> SELF(TICK)) & TIME_MASK;
}

/* The time without packets. */
static __always_inline __u32 SELF(silence)(__u64 state)
{
	const __u32 passed = (SELF(time)() - (__u32)state) & TIME_MASK;

	return passed <= TIME_MASK - CLOCKS_AHEAD ? passed : 0;
}

static __always_inline bool SELF(is_over)(__u64 state)
{
	const bool lasts = state & SELF(OPEN) && (state & ENDED) != ENDED;

	return SELF(silence)(state) > (lasts ? cfg.life : cfg.short_life);
}

/* Find the connection of a segment. False if it is unknown or over; its slot, if it still has one, is set in any case. */
static __always_inline bool SELF(find)(struct SELF(connection) *c, const struct exchange *x, bool from_server)
{
	const __u64 client = from_server ? (__u64)x->destination << 32 | x->destination_port : (__u64)x->source << 32 | x->source_port;
	const __u64 server = from_server ? (__u64)x->source << 32 | x->source_port : (__u64)x->destination << 32 | x->destination_port;

	c->hash = siphash13_2(var(vars)->key, client, server) | 1;
	c->bucket = at(connections, (__u32)(c->hash >> 32) & (cfg.buckets - 1));
	c->slot = SELF(WAYS);
	if (!c->bucket)
		return false;
#pragma clang loop unroll(full)
	for (__u32 i = 0; i < SELF(WAYS); i++)
		if (read_once(c->bucket->hash[i]) == c->hash)
			c->slot = i;
	if (c->slot == SELF(WAYS))
		return false;
	opaque(c->slot);
	c->slot &= SELF(WAYS) - 1;
	c->state = read_once(c->bucket->state[c->slot]);
	c->cookie = c->bucket->numbers[c->slot] >> 32;
	c->isn = (__u32)c->bucket->numbers[c->slot];
	return !SELF(is_over)(c->state);
}

/* Note a packet of a connection. */
static __always_inline void SELF(touch)(struct SELF(connection) *c, __u32 marks)
{
	const __u64 state = (c->state & ~(__u64)TIME_MASK) | marks | SELF(time)();

	if (state != c->state)
		__sync_bool_compare_and_swap(&c->bucket->state[c->slot], c->state, state);
}

#if USERSPACE
/* The slot of a bucket for a connection that it doesn't have: a free one, or that of the connection silent for the longest. */
static __u32 SELF(choose)(const struct SELF(connections) *bucket, bool *evicts)
{
	__u32 slot = 0, longest = 0;

	for (__u32 i = 0; i < SELF(WAYS); i++) {
		const __u64 state = read_once(bucket->state[i]);
		const bool is_free = !bucket->hash[i] || SELF(is_over)(state);
		const __u32 silence = is_free ? TIME_MASK : SELF(silence)(state) + 1;

		if (silence > longest) {
			longest = silence;
			slot = i;
			*evicts = !is_free;
		}
	}
	return slot;
}

/* Put a connection that the server hasn't accepted yet into the table. A reader that still has the slot's former one translates one
 * segment of that wrongly, no more than it would without an entry.
 */
static void SELF(put)(struct SELF(connection) *c, __u16 window)
{
	bool evicts = false;
	const __u32 slot = c->slot < SELF(WAYS) ? c->slot : SELF(choose)(c->bucket, &evicts);

	if (evicts)
		slot(counters)->evicted++;
	write_once(c->bucket->numbers[slot], (__u64)c->cookie << 32 | c->isn);
	write_once(c->bucket->state[slot], (__u64)(window >> 8) << SELF(WINDOW_SHIFT) | SELF(time)());
	__atomic_store_n(&c->bucket->hash[slot], c->hash, __ATOMIC_RELEASE);
}
#endif

/* What the client's initial sequence number adds to a cookie, so that an acknowledgement shows which number it was. */
static __always_inline __u32 SELF(mixed)(__u32 isn)
{
	return isn * 0x85ebca6bu & ~COOKIE_DATA;
}

/* Not inlined, since a cookie is checked twice. */
static __attribute__((noinline)) bool SELF(acknowledges)(const struct SELF(vars) *vars, const struct exchange *x, __u32 isn)
{
	struct exchange plain = *x;

	plain.ack -= SELF(mixed)(isn);
	return cookie_is_acknowledged(vars->key, &plain);
}

/* Whether a segment acknowledges a cookie, and to which initial sequence number. A probe of the window may have this number itself
 * (RFC 9293, 3.8.6.1, as Linux does it).
 */
static __always_inline bool SELF(begins)(const struct exchange *x, __u32 *isn)
{
	if ((x->flags & (TCP_SYN | TCP_ACK | TCP_RST)) != TCP_ACK)
		return false;
	*isn = x->seq - 1;
	if (SELF(acknowledges)(var(vars), x, *isn))
		return true;
	*isn = x->seq;
	return SELF(acknowledges)(var(vars), x, *isn);
}

/* Add to a segment's sequence numbers. */
static __always_inline int SELF(translate)(struct pkt *p, const struct segment *segment, __u32 seq, __u32 ack, int output)
{
	struct tcp_header *tcp = pkt_data(p, segment->offset, sizeof(*tcp));
	__u64 sum;

	if (!tcp)
		return DROP(MALFORMED);
	if (!(tcp->flags & TCP_ACK))
		ack = 0;
	sum = (__u64)(__u16)~tcp->checksum + (__u32)~tcp->sequence + (__u32)~tcp->acknowledgement;
	tcp->sequence = htonl(ntohl(tcp->sequence) + seq);
	tcp->acknowledgement = htonl(ntohl(tcp->acknowledgement) + ack);
	tcp->checksum = ~checksum_fold(sum + tcp->sequence + tcp->acknowledgement);
	return OUTPUT(output);
}

/* Have the answer go to the segment's destination. */
static __always_inline void SELF(reverse)(struct exchange *x)
{
	const struct exchange was = *x;

	x->source = was.destination;
	x->destination = was.source;
	x->source_port = was.destination_port;
	x->destination_port = was.source_port;
}

/* Make the packet an exchange's answer. With `turns`, it goes back to where it came from. False, with nothing changed, without room. */
static __always_inline bool SELF(become)(struct pkt *p, const struct exchange *x, bool turns)
{
	__u8 *ether, from[ETH_ALEN];

	if (pkt_network_offset(p) != ETH_HLEN)
		return exchange_answer(p, x, 0);
	if (!exchange_answer(p, x, ETH_HLEN))
		return false;
	ether = turns ? pkt_data(p, 0, ETH_HLEN) : NULL;
	if (ether) {
		ether_copy(from, ether + ETH_ALEN);
		ether_copy(ether + ETH_ALEN, ether);
		ether_copy(ether, from);
	}
	return true;
}

/* A SYN gets a cookie, and a window of 0: there is no server yet to send data to. */
static __always_inline void SELF(answer_syn)(struct exchange *x, __u32 mss)
{
	exchange_accept(x, var(vars)->key, cookie_data(mss));
	x->answer_seq += SELF(mixed)(x->seq);
	x->answer_window = 0;
	x->options = htonl(0x02040000 | 1460);
}

static __always_inline void SELF(reset)(struct exchange *x)
{
	x->answer = TCP_RST;
	x->answer_seq = x->ack;
}

#if USERSPACE
/* The client exists: its acknowledgement becomes its SYN. */
static int SELF(ask)(struct pkt *p, struct exchange *x, struct SELF(connection) *c)
{
	c->cookie = x->ack - 1;
	SELF(reverse)(x);
	x->answer = TCP_SYN;
	x->answer_seq = c->isn;
	x->answer_window = x->window;
	x->options = htonl(0x02040000 | cookie_mss(c->cookie & COOKIE_DATA));
	if (!SELF(become)(p, x, false))
		return DROP(NO_HEADROOM);
	SELF(put)(c, x->window);
	count(counters, accepted, 1);
	return OUTPUT(0);
}
#endif

static __always_inline int SELF(from_client)(struct pkt *p, const struct segment *segment, struct exchange *x)
{
	struct SELF(connection) c = {};
	const bool is_syn = x->flags & TCP_SYN;
	const bool is_open = SELF(find)(&c, x, false) && c.state & SELF(OPEN);
	__u32 isn;

	if ((!is_open || c.state & SELF(SYN_AGAIN)) && SELF(begins)(x, &isn) && (!is_open || isn != c.isn)) {
#if USERSPACE
		c.isn = isn;
		return SELF(ask)(p, x, &c);
#else
		return PUNT;
#endif
	}
	if (is_open && !is_syn) {
		SELF(touch)(&c, x->flags & TCP_FIN ? SELF(ENDED_BY_CLIENT) : 0);
		return SELF(translate)(p, segment, 0, SELF(server_isn)(&c) - c.cookie, 0);
	}
	if (!is_syn && x->flags & TCP_RST)
		return OUTPUT(0);
	if (is_syn ? x->flags != TCP_SYN : !(x->flags & TCP_ACK))
		return DROP(FILTERED);
	if (is_syn)
		SELF(answer_syn)(x, exchange_mss(p, segment, x));
	else
		SELF(reset)(x);
	if (!SELF(become)(p, x, true))
		return PUNT;
	if (!is_syn) {
		count(counters, reset, 1);
	} else {
		if (is_open)
			SELF(touch)(&c, SELF(SYN_AGAIN));
		count(counters, answered, 1);
	}
	return OUTPUT(1);
}

#if USERSPACE
/* The server accepts: acknowledge that, and pass the server's window on to the client. */
static int SELF(accept)(struct pkt *p, struct exchange *x, struct SELF(connection) *c)
{
	const __u64 state = (__u64)x->seq << 32 | SELF(OPEN) | (c->state & ~(__u32)TIME_MASK) | SELF(time)();
	struct exchange update = *x;
	struct pkt *copy;

	if (x->ack - 1 != c->isn || (c->state & SELF(OPEN) && SELF(server_isn)(c) != x->seq))
		return DROP(FILTERED);
	copy = pkt_clone(p);
	if (!copy)
		return DROP(NO_MEMORY);
	SELF(reverse)(&update);
	x->answer = update.answer = TCP_ACK;
	x->answer_seq = x->ack;
	x->answer_ack = x->seq + 1;
	x->answer_window = (__u16)((__u8)(c->state >> SELF(WINDOW_SHIFT)) << 8);
	update.answer_seq = c->cookie + 1;
	update.answer_ack = x->ack;
	update.answer_window = x->window;
	if (!SELF(become)(copy, x, true) || !SELF(become)(p, &update, false)) {
		pkt_free(copy);
		return DROP(NO_HEADROOM);
	}
	if (!(c->state & SELF(OPEN)))
		count(counters, opened, 1);
	__atomic_store_n(&c->bucket->state[c->slot], state, __ATOMIC_RELAXED);
	emit(copy, 0);
	return OUTPUT(1);
}
#endif

static __always_inline int SELF(from_server)(struct pkt *p, const struct segment *segment, struct exchange *x)
{
	struct SELF(connection) c = {};

	if (!SELF(find)(&c, x, true))
		return OUTPUT(1);
	if ((x->flags & (TCP_SYN | TCP_ACK)) == (TCP_SYN | TCP_ACK)) {
#if USERSPACE
		return SELF(accept)(p, x, &c);
#else
		return PUNT;
#endif
	}
	if (!(c.state & SELF(OPEN))) {
		if (!(x->flags & TCP_RST) || x->ack - 1 != c.isn)
			return DROP(FILTERED);
		return SELF(translate)(p, segment, c.cookie + 1 - x->seq, 0, 1);
	}
	SELF(touch)(&c, x->flags & TCP_RST ? ENDED : x->flags & TCP_FIN ? SELF(ENDED_BY_SERVER) : 0);
	return SELF(translate)(p, segment, c.cookie - SELF(server_isn)(&c), 0, 1);
}

ELEMENT(SYNProxy)
{
	struct segment segment;
	struct exchange x;

	if (!segment_find(p, &segment))
		return DROP_WITHOUT_HEADER(p);
	if (!USERSPACE && (ip_header_length(segment.ip) > sizeof(*segment.ip) || read_once(var(vars)->moving)))
		return PUNT;
	if (!exchange_read(p, &segment, &x) || !SELF(answers)(ntohs(input ? x.source_port : x.destination_port)))
		return OUTPUT(input);
	return input ? SELF(from_server)(p, &segment, &x) : SELF(from_client)(p, &segment, &x);
}

#if USERSPACE
INIT()
{
	hash_key_keep(var(vars)->key);
	return 0;
}
#endif
#undef ENDED
#undef TIME_MASK
#undef CLOCKS_AHEAD
