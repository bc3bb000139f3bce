/* TCP connections (RFC 9293) as TCPConnections keeps them: the transmission control block, and what is done to it whatever the
 * extensions are. Runtime only, one thread at a time: all elements that work on connections have one lock.
 *
 * Sequence numbers, ports and windows are in host byte order, except in keys and headers; times are nanoseconds of now(). Names of
 * variables are RFC 9293's (3.3.1) without SND and RCV: una, next, wnd; `expected` is RCV.NXT. States, timers and struct
 * tcp_counters are generated: tcpnumbers.h (_structures.py).
 */
#pragma once

#include "heap.h"
#include "ip6/ip6.h"
#include "tables/index.h"
#include "tcp/ranges.h"

#define TCP_PUSH 0x08
#define TCP_LEAST_MSS 48	/* as Linux: whoever announces less gets more */
#define TCP_DEFAULT_MSS 536	/* of IPv4, and of IPv6 (RFC 9293, 3.7.1) */
#define TCP_DEFAULT_MSS6 1220
#define TCP_RTO_MOST 60000000000ull
#define TCP_SYN_TRIES 5
#define TCP_TRIES 12
#define TCP_ANSWERS 64		/* resets that wait to be sent */
#define TCP_CHALLENGE_PAUSE 500000000ull
#define TCP_TICK 4000		/* ns, of initial sequence numbers (RFC 6528, 3) */
#define TCP_LINGER 60000000000ull /* in TIME-WAIT and FIN-WAIT-2, as Linux */
#define TCP_SLOT_BITS 22	/* of a connection's number: the place; above it the generation */

/* Whose connection: addresses (of IPv4 mapped into IPv6, RFC 4291, 2.5.5.2) and ports. */
struct tcp_key {
	__u8 peer[16], own[16];
	__be16 peer_port, own_port;
	__u32 zero;
};

/* A byte of sequence number s is at [s & (size - 1)]; `at` is NULL without bytes. */
struct tcp_ring {
	__u8 *at;
};

struct tcp {
	struct tcp_key key;
	__u32 number;			/* in the annotation AGGREGATE of its packets; 0 is none */
	__u8 state;
	__u8 tries;			/* retransmissions without an acknowledgement */
	__u8 peer_shift, own_shift;	/* of windows (RFC 7323, 2) */
	bool is_ip4, opened;		/* opened by this side */
	__u32 joined;			/* the connection that sends what this one receives, and the other way round: maybe itself; 0 is none */
	bool shut;			/* the application sends no more: FIN is the byte at `end` */
	bool ack_now, probe, is_ready;
	bool ask;			/* a keep-alive probe is to be sent */
	bool resend;			/* the segment at una, and then go on */
	bool recovering;		/* from a loss that acknowledgements told of, until `recover` is acknowledged */
	bool reports;			/* the other side says what it has beyond gaps */
	bool fragments;			/* a link on the way takes less than this side sends: routers may cut packets up */
	bool fin_known;			/* `fin` is the other side's FIN */
	__u16 mss;			/* the most bytes in a segment to send */

	__u32 iss, una, next, max, end;	/* max: the highest `next` that was; end: after the last byte to send */
	__u32 wnd, max_wnd, wl1, wl2;
	__u32 cwnd, ssthresh, recover;	/* congestion control, for extensions (RFC 5681, RFC 6582) */
	__u32 duplicates;		/* acknowledgements */
	__u32 out;			/* bytes that aren't under way any more, though unacknowledged: `cwnd` doesn't count them */
	__u32 irs, expected, right, fin;	/* right: the right edge of the window that was announced */

	__u64 srtt, rttvar, rto;	/* RFC 6298 */
	__u64 timed_at;			/* when the byte before `timed` was sent; 0 if none is timed */
	__u32 timed;
	__u64 heard;			/* when the last acceptable segment came */
	__u64 challenged;		/* when the last challenge was */
	__u64 asked;			/* when the last keep-alive probe was */
	__u32 asks;			/* probes without an answer */

	__u64 deadline[TCP_TIMERS];	/* 0: not set */
	struct heap_node node;		/* by the first of them */

	struct tcp_ring sending, early;	/* bytes from una to end; bytes beyond a gap */
	struct tcp_ranges pieces;	/* of `early` */

	struct tcp *older, *newer;	/* of its list: half open, or in TIME-WAIT */
	struct tcp *ready;		/* the next that has something to send */
	__u64 own[];			/* each extension's struct STATE */
};

struct tcp_list {
	struct tcp *oldest, *newest;
	__u32 count;
};

/* An application that wants to know of connections that others began. */
struct tcp_acceptor {
	void (*accept)(struct tcp *t);
	struct tcp_acceptor *next;
};

struct tcp_connections {
	struct tcp **slot;		/* [capacity], NULL if free */
	__u32 *generation;		/* [capacity] */
	__u32 *free;			/* [spare], free places */
	__u32 spare, capacity;
	struct index index;
	struct index_bucket *buckets;
	__u32 outside;
	struct heap heap;
	struct tcp_list half_open, over;
	struct tcp *ready, **ready_end;
	struct pkt *answers;		/* whole packets, by `next` */
	__u32 answering;

	struct tcp_counters *counters;
	struct task *output;		/* TCPOutput's */
	struct timer *timer;		/* TCPConnections' */
	struct tcp_acceptor *acceptors;
	__u32 buffer, mtu, extra;	/* bytes in a direction; of packets; of extensions */
	__u64 memory, used;		/* bytes of rings: the most, and now */
	__u64 rto_least, silence;	/* silence: after it, a look at who says nothing; 0 for none */
	bool nodelay;
};

/* What a segment says (RFC 9293, 3.10.7): `length` counts data only. */
struct tcp_segment {
	struct tcp_header *header;
	__u32 seq, ack, window, length;
	__u8 flags;
};

static inline __u64 tcp_hash(const struct tcp_key *key)
{
	return siphash(hash_key(), (const __u64 *)key, 5, 1, 3) | 1ull << 63;
}

/* The data that a segment from the other side may have. */
static inline __u32 tcp_own_mss(const struct tcp_connections *c, const struct tcp *t)
{
	return c->mtu - sizeof(struct tcp_header) - (t->is_ip4 ? sizeof(struct iphdr) : sizeof(struct ip6_header));
}

/* Bytes that wait to be sent, or to be acknowledged. */
static inline __u32 tcp_held(const struct tcp *t)
{
	/* The SYN isn't one. */
	const __u32 first = t->una + (t->state <= TCP_SYN_RECEIVED && t->una == t->iss);

	return seq_before(first, t->end) ? t->end - first : 0;
}

/* The segment of a packet that TCPLookup has passed: the packet is its data. */
static inline struct tcp_segment tcp_segment_of(struct pkt *p)
{
	struct tcp_header *header = pkt_transport_header(p, sizeof(*header));

	return (struct tcp_segment){.header = header, .seq = ntohl(header->sequence), .ack = ntohl(header->acknowledgement),
				    .window = ntohs(header->window), .length = pkt_len(p), .flags = header->flags};
}

/* The connection with a number, or NULL if it is over. */
static inline struct tcp *tcp_numbered(const struct tcp_connections *c, __u32 number)
{
	const __u32 slot = number & ((1u << TCP_SLOT_BITS) - 1);
	struct tcp *t = slot - 1 < c->capacity ? c->slot[slot - 1] : NULL;

	return t && t->number == number ? t : NULL;
}

/* That of a packet. */
static inline struct tcp *tcp_of(const struct tcp_connections *c, struct pkt *p)
{
	return tcp_numbered(c, pkt_anno_u32(p, AGGREGATE_ANNO));
}

/* Allocate; capacity, buffer and the like are set. 0, or -ENOMEM. */
int tcp_open(struct tcp_connections *c);
/* Free all; nobody is told. */
void tcp_close(struct tcp_connections *c);

/* The connection with a key, or NULL. */
struct tcp *tcp_find(const struct tcp_connections *c, const struct tcp_key *key);
/* A new one, in state SYN-SENT or SYN-RECEIVED, with its initial sequence number. One that is half open or over makes room where all
 * places are taken; NULL if there is none, or no memory.
 */
struct tcp *tcp_new(struct tcp_connections *c, const struct tcp_key *key, __u8 state, __u64 time);
/* A new one that this side begins, by its addresses, at a port of its choice from 32768 on (RFC 6056, 3.3.3), to a port. NULL as above. */
struct tcp *tcp_connect(struct tcp_connections *c, const __u8 *own, const __u8 *peer, __u16 port, __u32 random, __u64 time);
/* Both sides have acknowledged SYNs. Who wants to know may end it. */
void tcp_establish(struct tcp_connections *c, struct tcp *t, __u64 time);
/* Its state changes; TIME-WAIT and the end of being half open move it between lists. */
void tcp_enter(struct tcp_connections *c, struct tcp *t, __u8 state, __u64 time);
/* The application sends no more: FIN follows what it has sent. A connection that nobody has answered yet ends, but for a joined one. */
void tcp_shut(struct tcp_connections *c, struct tcp *t, __u64 time);
/* It is over: its number means nothing from now on. One that it is joined to ends, too, unless both directions have. */
void tcp_end(struct tcp_connections *c, struct tcp *t);
/* Connections of an earlier router become this one's, as many as there is room for, with their numbers. `same`: they have the same
 * extensions. Returns how many it left.
 */
__u32 tcp_take(struct tcp_connections *c, struct tcp_connections *from, bool same);

/* Set a timer, or clear it with 0. */
void tcp_set_timer(struct tcp_connections *c, struct tcp *t, int timer, __u64 when);
/* It has something to send. */
void tcp_ready(struct tcp_connections *c, struct tcp *t);
/* The first that has, no longer ready; or NULL. */
struct tcp *tcp_first_ready(struct tcp_connections *c);

/* Acknowledge what may be forged (RFC 5961), at most twice a second for each connection. */
void tcp_challenge(struct tcp_connections *c, struct tcp *t, __u64 time);
