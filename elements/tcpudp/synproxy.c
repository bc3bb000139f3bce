/* SYNProxy: a connection begins here, and reaches its server once the client has acknowledged a cookie. */
#include "icmp/icmp.h"
#include "ip6/icmp6.h"
#include "tcpudp/answer.h"

#define ENDED (SELF(ENDED_BY_CLIENT) | SELF(ENDED_BY_SERVER))
#define TIME_MASK ((1u << SELF(TIME_BITS)) - 1)
/* Times this close to a turn of the clock come from CPUs whose clocks are slightly ahead. */
#define CLOCKS_AHEAD 0xffu

/* The bits of an offer that a cookie's timestamp has: the client's window scale, and selective acknowledgements. */
#define IN_STAMP (2 * SELF(SACK) - 1u)
#define OFFERED (2 * SELF(STAMPS) - 1u)
/* By how many bits plus 16 windows become smaller. */
#define UNCHANGED 16u
/* An IPv6 header is longer than an IPv4 header. */
#define IP6_LONGER (sizeof(struct ip6_header) - sizeof(struct iphdr))

/* A connection, as found in its bucket or to be put there; without a slot there, `slot` is WAYS. */
struct SELF(connection) {
	struct SELF(connections) *bucket;
	__u32 slot;
	__u64 hash, state, agreed;
	__u32 cookie, isn;		/* initial sequence numbers that the client has seen, and has chosen */
};

static __always_inline __u32 SELF(server_isn)(const struct SELF(connection) *c)
{
	return c->state >> 32;
}

/* The timestamp of a cookie: the number itself, but for what was offered. */
static __always_inline __u32 SELF(stamp)(__u32 cookie, __u32 offer)
{
	return (cookie & ~IN_STAMP) | (offer & IN_STAMP);
}

/* By how much the server's timestamps are ahead of the client's idea of them. */
static __always_inline __u32 SELF(ahead)(const struct SELF(connection) *c)
{
	return c->agreed >> 32;
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

static __always_inline __u64 SELF(hash)(const struct exchange *x, bool from_server)
{
	const __u64 *client = from_server ? x->destination : x->source, *server = from_server ? x->source : x->destination;
	const __u64 client_port = from_server ? x->destination_port : x->source_port;
	const __u64 server_port = from_server ? x->source_port : x->destination_port;
	const __u64 words[5] = {client[0], client[1], server[0], server[1], client_port << 32 | server_port};

	if (x->ip6)
		return siphash(var(vars)->key, words, 5, 1, 3);
	return siphash13_2(var(vars)->key, client[0] << 32 | client_port, server[0] << 32 | server_port);
}

/* Find the connection of a segment. False if it is unknown or over; its slot, if it still has one, is set in any case. */
static __always_inline bool SELF(find)(struct SELF(connection) *c, const struct exchange *x, bool from_server)
{
	c->hash = SELF(hash)(x, from_server) | 1;
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
	read_in_order();
	c->agreed = read_once(c->bucket->agreed[c->slot]);
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
static void SELF(put)(const struct SELF(connection) *c, __u16 window)
{
	bool evicts = false;
	const __u32 slot = c->slot < SELF(WAYS) ? c->slot : SELF(choose)(c->bucket, &evicts);

	if (evicts)
		slot(counters)->evicted++;
	write_once(c->bucket->numbers[slot], (__u64)c->cookie << 32 | c->isn);
	write_once(c->bucket->agreed[slot], c->agreed);
	write_once(c->bucket->state[slot], (__u64)(window >> 8) << SELF(WINDOW_SHIFT) | SELF(time)());
	__atomic_store_n(&c->bucket->hash[slot], c->hash, __ATOMIC_RELEASE);
}
#endif

/* What the client's initial sequence number adds to a cookie, so that an acknowledgement shows which number it was. */
static __always_inline __u32 SELF(mixed)(__u32 isn)
{
	return isn * 0x85ebca6bu & ~COOKIE_DATA;
}

/* Note the cookie for a SYN of an open connection's client, which anybody may have sent. */
static __always_inline void SELF(note_syn)(struct SELF(connection) *c, __u32 cookie)
{
	const __u32 place = SELF(RECENT) + (now_coarse() >> COOKIE_TIME & 1) * 8;
	const __u64 agreed = (c->agreed & ~(0xffull << place)) | (__u64)cookie_first(cookie) << place;

	if (agreed != c->agreed)
		__sync_bool_compare_and_swap(&c->bucket->agreed[c->slot], c->agreed, agreed);
	SELF(touch)(c, SELF(SYN_AGAIN));
}

/* Whether a number may be such a cookie: it spares all but one in 64 of an open connection's acknowledgements the hashes. */
static __always_inline bool SELF(is_noted)(const struct SELF(connection) *c, __u32 cookie)
{
	const __u8 one = c->agreed >> SELF(RECENT), other = c->agreed >> (SELF(RECENT) + 8), first = cookie_first(cookie);

	return c->state & SELF(SYN_AGAIN) && (first == one || first == other);
}

/* Not inlined, since a cookie is checked twice. */
static __attribute__((noinline)) bool SELF(is_cookie)(const struct SELF(vars) *vars, const struct exchange *x, __u32 cookie)
{
	return cookie_is_of(vars->key, x, cookie);
}

static __always_inline bool SELF(acknowledges)(const struct SELF(connection) *c, bool is_open, const struct exchange *x, __u32 isn)
{
	const __u32 cookie = x->ack - 1 - SELF(mixed)(isn);

	return (!is_open || SELF(is_noted)(c, cookie)) && SELF(is_cookie)(var(vars), x, cookie);
}

/* Whether a segment acknowledges a cookie, and to which initial sequence number. A probe of the window may have this number itself
 * (RFC 9293, 3.8.6.1, as Linux does it).
 */
static __always_inline bool SELF(begins)(const struct SELF(connection) *c, bool is_open, const struct exchange *x, __u32 *isn)
{
	if ((x->flags & (TCP_SYN | TCP_ACK | TCP_RST)) != TCP_ACK)
		return false;
	*isn = x->seq - 1;
	if (SELF(acknowledges)(c, is_open, x, *isn))
		return true;
	*isn = x->seq;
	return SELF(acknowledges)(c, is_open, x, *isn);
}

/* A window on its way between sides with different scales. */
static __always_inline __u16 SELF(rescaled)(__u16 window, __u32 bits)
{
	const __u64 scaled = (__u64)window << UNCHANGED >> (bits & 31);

	return scaled < 65535 ? scaled : 65535;
}

static __always_inline __u32 SELF(to_client)(const struct SELF(connection) *c)
{
	return c->agreed >> SELF(TO_CLIENT) & 31;
}

static __always_inline __u32 SELF(to_server)(const struct SELF(connection) *c)
{
	return c->agreed >> SELF(TO_SERVER) & 31;
}

/* What to do to a segment's numbers: `bits` is for its window. */
struct SELF(change) {
	__u32 seq, ack, bits;
	struct tcp_option_changes options;
};

static __always_inline int SELF(translate)(struct pkt *p, const struct exchange *x, const struct SELF(change) *by, int output)
{
	const bool has_options = x->header > sizeof(struct tcp_header);
	__u64 sum = has_options ? tcp_options_change(p, x->offset, x->header, &by->options) : 0;
	struct tcp_header *tcp = pkt_data(p, x->offset, sizeof(*tcp));

	if (!tcp)
		return DROP(MALFORMED);
	sum += (__u64)(__u16)~tcp->checksum + (__u32)~tcp->sequence + (__u32)~tcp->acknowledgement + (__u16)~tcp->window;
	tcp->sequence = htonl(x->seq + by->seq);
	tcp->acknowledgement = htonl(x->ack + (x->flags & TCP_ACK ? by->ack : 0));
	tcp->window = htons(SELF(rescaled)(x->window, by->bits));
	tcp->checksum = ~checksum_fold(sum + tcp->sequence + tcp->acknowledgement + tcp->window);
	return OUTPUT(output);
}

/* Have the answer go to the segment's destination. */
static __always_inline void SELF(reverse)(struct exchange *x)
{
	const struct exchange was = *x;

	ip6_copy(x->source, was.destination);
	ip6_copy(x->destination, was.source);
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

/* A SYN gets a cookie, and a window of 0: there is no server yet to send data to. Only with timestamps there is a place to remember what
 * else it has offered.
 */
static __always_inline void SELF(answer_syn)(struct exchange *x, struct tcp_options offered)
{
	__u32 offer = offered.scale | (cfg.sack && offered.has_sack ? SELF(SACK) : 0);

	exchange_accept(x, var(vars)->key, cookie_data(offered.mss));
	x->answer_seq += SELF(mixed)(x->seq);
	x->answer_window = 0;
	exchange_add_options(x, &(struct tcp_options){
		.mss = cfg.mss - (x->ip6 ? IP6_LONGER : 0), .scale = offered.scale == TCP_UNSCALED ? TCP_UNSCALED : cfg.wscale, .has_sack = offer & SELF(SACK),
		.is_stamped = cfg.timestamp && offered.is_stamped, .stamp = SELF(stamp)(x->answer_seq, offer), .echo = offered.stamp,
	});
}

static __always_inline void SELF(reset)(struct exchange *x)
{
	x->answer = TCP_RST;
	x->answer_seq = x->ack;
}

#if USERSPACE
/* What a client has offered in its SYN, by the timestamp that its acknowledgement of the cookie echoes. */
static __u32 SELF(offer)(__u32 cookie, const struct tcp_options *o)
{
	return o->is_stamped && SELF(stamp)(cookie, o->echo) == o->echo ? (o->echo & IN_STAMP) | SELF(STAMPS) : TCP_UNSCALED;
}

/* The client's window scale, or TCP_UNSCALED. */
static __u32 SELF(scale)(const struct SELF(connection) *c)
{
	return c->agreed & TCP_UNSCALED;
}

/* The client exists: its acknowledgement becomes its SYN, whose window has no scale. */
static int SELF(ask)(struct pkt *p, struct exchange *x, struct SELF(connection) *c)
{
	const struct tcp_options o = exchange_options(p, x);

	c->cookie = x->ack - 1;
	c->agreed = SELF(offer)(c->cookie, &o);
	SELF(reverse)(x);
	x->answer = TCP_SYN;
	x->answer_seq = c->isn;
	x->answer_window = SELF(rescaled)(x->window, UNCHANGED - (SELF(scale)(c) == TCP_UNSCALED ? 0 : SELF(scale)(c)));
	exchange_add_options(x, &(struct tcp_options){
		.mss = cookie_mss(c->cookie & COOKIE_DATA, x->ip6), .scale = SELF(scale)(c), .has_sack = c->agreed & SELF(SACK),
		.is_stamped = c->agreed & SELF(STAMPS), .stamp = o.stamp,
	});
	if (!SELF(become)(p, x, false))
		return DROP(NO_HEADROOM);
	SELF(put)(c, x->window);
	count(counters, accepted, 1);
	return OUTPUT(0);
}
#endif

static __always_inline int SELF(from_client)(struct pkt *p, struct exchange *x)
{
	struct SELF(connection) c = {};
	const bool is_syn = x->flags & TCP_SYN;
	const bool is_open = SELF(find)(&c, x, false) && c.state & SELF(OPEN);
	const __u32 to_server = SELF(server_isn)(&c) - c.cookie;
	__u32 isn;

	if (SELF(begins)(&c, is_open, x, &isn) && (!is_open || isn != c.isn)) {
#if USERSPACE
		c.isn = isn;
		return SELF(ask)(p, x, &c);
#else
		return PUNT;
#endif
	}
	if (is_open && !is_syn) {
		SELF(touch)(&c, x->flags & TCP_FIN ? SELF(ENDED_BY_CLIENT) : 0);
		return SELF(translate)(p, x, &(struct SELF(change)){
			.ack = to_server, .bits = SELF(to_server)(&c), .options = {.echo = SELF(ahead)(&c), .sack = to_server},
		}, 0);
	}
	if (!is_syn && x->flags & TCP_RST)
		return OUTPUT(0);
	if (is_syn ? x->flags != TCP_SYN : !(x->flags & TCP_ACK))
		return DROP(FILTERED);
	if (is_syn)
		SELF(answer_syn)(x, exchange_options(p, x));
	else
		SELF(reset)(x);
	if (!SELF(become)(p, x, true))
		return PUNT;
	if (!is_syn) {
		count(counters, reset, 1);
	} else {
		if (is_open)
			SELF(note_syn)(&c, x->answer_seq - SELF(mixed)(x->seq));
		count(counters, answered, 1);
	}
	return OUTPUT(1);
}

#if USERSPACE
/* What the sides of a connection have agreed on, now that its server has answered the client's offer. The client scales its windows even
 * if the server can't, and knows WSCALE as the server's scale.
 */
static __u64 SELF(agreement)(const struct SELF(connection) *c, const struct tcp_options *o)
{
	const bool is_scaled = SELF(scale)(c) != TCP_UNSCALED, serves_scaled = is_scaled && o->scale != TCP_UNSCALED;
	const __u32 to_client = UNCHANGED + (is_scaled ? cfg.wscale : 0) - (serves_scaled ? o->scale : 0);
	const __u32 to_server = UNCHANGED - (is_scaled && !serves_scaled ? SELF(scale)(c) : 0);
	const __u32 ahead = c->agreed & SELF(STAMPS) && o->is_stamped ? o->stamp - SELF(stamp)(c->cookie, c->agreed) : 0;

	return (c->agreed & OFFERED) | to_client << SELF(TO_CLIENT) | to_server << SELF(TO_SERVER) | (__u64)ahead << 32;
}

/* The server accepts: acknowledge that, and pass the server's window on to the client. */
static int SELF(accept)(struct pkt *p, struct exchange *x, struct SELF(connection) *c)
{
	const __u64 state = (__u64)x->seq << 32 | SELF(OPEN) | (c->state & ~(__u32)TIME_MASK) | SELF(time)();
	const struct tcp_options o = exchange_options(p, x);
	const bool is_open = c->state & SELF(OPEN), is_stamped = c->agreed & SELF(STAMPS) && o.is_stamped;
	struct exchange update = *x;
	struct pkt *copy;

	if (x->ack - 1 != c->isn || (is_open && SELF(server_isn)(c) != x->seq))
		return DROP(FILTERED);
	copy = pkt_clone(p);
	if (!copy)
		return DROP(NO_MEMORY);
	if (!is_open)
		c->agreed = SELF(agreement)(c, &o);
	SELF(reverse)(&update);
	x->answer = update.answer = TCP_ACK;
	x->answer_seq = x->ack;
	x->answer_ack = x->seq + 1;
	x->answer_window = SELF(rescaled)((__u16)((__u8)(c->state >> SELF(WINDOW_SHIFT)) << 8), SELF(to_server)(c));
	exchange_add_options(x, &(struct tcp_options){.is_stamped = is_stamped, .stamp = o.echo, .echo = o.stamp});
	update.answer_seq = c->cookie + 1;
	update.answer_ack = x->ack;
	update.answer_window = SELF(rescaled)(x->window, UNCHANGED + (SELF(scale)(c) == TCP_UNSCALED ? 0 : cfg.wscale));
	exchange_add_options(&update, &(struct tcp_options){.is_stamped = is_stamped, .stamp = o.stamp - SELF(ahead)(c), .echo = o.echo});
	if (!SELF(become)(copy, x, true) || !SELF(become)(p, &update, false)) {
		pkt_free(copy);
		return DROP(NO_HEADROOM);
	}
	if (!is_open)
		count(counters, opened, 1);
	write_once(c->bucket->agreed[c->slot], c->agreed);
	__atomic_store_n(&c->bucket->state[c->slot], state, __ATOMIC_RELEASE);
	emit(copy, 0);
	return OUTPUT(1);
}
#endif

static __always_inline int SELF(from_server)(struct pkt *p, struct exchange *x)
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
		return SELF(translate)(p, x, &(struct SELF(change)){.seq = c.cookie + 1 - x->seq, .bits = UNCHANGED}, 1);
	}
	SELF(touch)(&c, x->flags & TCP_RST ? ENDED : x->flags & TCP_FIN ? SELF(ENDED_BY_SERVER) : 0);
	return SELF(translate)(p, x, &(struct SELF(change)){
		.seq = c.cookie - SELF(server_isn)(&c), .bits = SELF(to_client)(&c), .options = {.stamp = -SELF(ahead)(&c)},
	}, 1);
}

/* The ends of a TCP segment that an ICMP error quotes, and where its header begins; false if it quotes none. */
static __always_inline bool SELF(quotes)(struct pkt *p, __u32 quote, const bool ip6, struct exchange *x, __u32 *start)
{
	const void *header = pkt_data(p, quote, ip6 ? sizeof(struct ip6_header) : sizeof(struct iphdr));
	const struct ip6_header *six = header;
	const struct iphdr *four = header;
	const struct tcp_header *tcp;

	if (!header || (ip6 ? six->next != PROTOCOL_TCP : four->protocol != PROTOCOL_TCP || !ip_is_first_fragment(four)))
		return false;
	*start = quote + (ip6 ? sizeof(*six) : ip_header_length(four));
	tcp = pkt_data(p, *start, offsetof(struct tcp_header, acknowledgement));
	if (!tcp)
		return false;
	*x = (struct exchange){.source_port = tcp->source, .destination_port = tcp->destination};
	if (ip6)
		exchange_set_ends6(x, six);
	else
		exchange_set_ends(x, four);
	return true;
}

/* An ICMP error that quotes a segment of a server's, as its client knows it: the server knows it by another number, and believes no other
 * (RFC 5927, 4.1). What quotes a client's segment has the client's own number.
 */
static __always_inline int SELF(error_from_client)(struct pkt *p, int offset, const bool ip6)
{
	struct icmp_header *icmp = pkt_data(p, offset, sizeof(*icmp));
	struct SELF(connection) c = {};
	struct exchange x;
	__u32 start;
	__u64 change;

	opaque(icmp);
	if (!icmp || !(ip6 ? icmp6_is_error(icmp->type) : icmp_is_error(icmp->type)))
		return OUTPUT(0);
	if (!SELF(quotes)(p, offset + (int)sizeof(*icmp), ip6, &x, &start) || !SELF(answers)(ntohs(x.source_port)))
		return OUTPUT(0);
	if (!SELF(find)(&c, &x, true) || !(c.state & SELF(OPEN)))
		return OUTPUT(0);
	change = tcp_number_add(p, start, offsetof(struct tcp_header, sequence), SELF(server_isn)(&c) - c.cookie);
	icmp->checksum = ~checksum_fold((__u16)~icmp->checksum + change);
	return OUTPUT(0);
}

static __always_inline int SELF(segment)(struct pkt *p, struct exchange *x, const int input)
{
	if (!SELF(answers)(ntohs(input ? x->source_port : x->destination_port)))
		return OUTPUT(input);
	return input ? SELF(from_server)(p, x) : SELF(from_client)(p, x);
}

static __always_inline int SELF(packet)(struct pkt *p, const int input)
{
	struct segment segment;
	struct exchange x;

	if (!segment_find(p, &segment))
		return DROP_WITHOUT_HEADER(p);
	if (!USERSPACE && ip_header_length(segment.ip) > sizeof(*segment.ip))
		return PUNT;
	if (segment.ip->protocol == PROTOCOL_ICMP && !input && !ip_is_fragment(segment.ip))
		return SELF(error_from_client)(p, segment.offset, false);
	return exchange_read(p, &segment, &x) ? SELF(segment)(p, &x, input) : OUTPUT(input);
}

static __always_inline int SELF(packet6)(struct pkt *p, const int input)
{
	const struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	struct ip6_inner inner;
	struct exchange x;

	if (!ip)
		return DROP(MALFORMED);
	if (!USERSPACE && ip6_is_extension(ip->next))
		return PUNT;
	inner = ip6_walk(p, ip);
	if (inner.protocol == IP6_ICMP && !input && !inner.fragment)
		return SELF(error_from_client)(p, pkt_network_offset(p) + inner.offset, true);
	return exchange_read6(p, ip, &inner, &x) ? SELF(segment)(p, &x, input) : OUTPUT(input);
}

ELEMENT(SYNProxy)
{
	if (!USERSPACE && read_once(var(vars)->moving))
		return PUNT;
	return ip_version_of(p) == 6 ? SELF(packet6)(p, input) : SELF(packet)(p, input);
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
#undef IN_STAMP
#undef OFFERED
#undef UNCHANGED
#undef IP6_LONGER
