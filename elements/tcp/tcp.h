/* TCP connections (RFC 9293) of TCPConnections: the transmission control block, and operations that don't depend on extensions.
 * Runtime only, one thread at a time: all elements that work on connections have a common lock.
 *
 * Sequence numbers, ports and windows are in host byte order, except in keys and headers; times are nanoseconds by now(). Variables
 * are named as in RFC 9293 (3.3.1) without SND and RCV: una, next, wnd; `expected` is RCV.NXT. States, timers and struct
 * tcp_counters are generated: tcpnumbers.h (_tcp.py).
 */
#pragma once

#include "heap.h"
#include "links.h"
#include "ip6/ip6.h"
#include "tables/index.h"
#include "tcp/ranges.h"

#define TCP_LEAST_MSS 48	/* the least MSS to use, as in Linux, even if the peer announces less */
#define TCP_DEFAULT_MSS 536	/* of IPv4, and of IPv6 (RFC 9293, 3.7.1) */
#define TCP_DEFAULT_MSS6 1220
#define TCP_RTO_FIRST 1000000000ull
#define TCP_RTO_MOST 60000000000ull
#define TCP_RTO_AFTER_LOSS 3000000000ull
#define TCP_SYN_TRIES 7		/* at least three minutes in all (RFC 9293, 3.8.3) */
#define TCP_SYN_ACK_TRIES 5	/* of what anybody may ask for, as in Linux */
#define TCP_TRIES 12
#define TCP_ANSWERS 64		/* the most resets waiting to be sent */
#define TCP_CHALLENGE_PAUSE 500000000ull
#define TCP_TICK 4000		/* ns, of initial sequence numbers (RFC 6528, 3) */
#define TCP_LINGER 60000000000ull /* in TIME-WAIT and FIN-WAIT-2, as Linux */
#define TCP_SLOT_BITS 22	/* the low bits of a connection's number are the slot, those above the generation */

/* A side of a connection: its address (of IPv4 as IPv4-mapped, RFC 4291, 2.5.5.2) and port. */
struct tcp_end {
	__u8 address[16];
	__be16 port;
};

struct tcp_key {
	struct tcp_end own, peer;
	__u32 zero;
};

struct tcp {
	struct tcp_connections *all;
	struct tcp_key key;
	__u32 number;			/* in the annotation AGGREGATE of its packets; 0 is none */
	__u8 state;
	__u8 tries;			/* retransmissions without an acknowledgement */
	__u8 peer_shift, own_shift;	/* of windows (RFC 7323, 2) */
	bool is_ip4, opened;		/* opened by this side */
	__u32 joined;			/* the connection that sends what this one receives, and vice versa (perhaps itself); 0 is none */
	bool shut;			/* the application sends no more: the FIN has number `end` */
	bool ack_now, probe;
	bool ask;			/* a keep-alive probe is due */
	bool resend;			/* retransmit the segment at una, then continue */
	bool recovering;		/* from a loss detected by acknowledgements, until `recover` is acknowledged */
	bool reports;			/* the peer sends selective acknowledgements */
	bool fragments;			/* a link on the path takes less than this side sends: routers may fragment packets */
	bool fin_known;			/* the peer's FIN, at `fin`, is known */
	__u16 mss;			/* the most bytes in a segment to send */

	__u32 iss, una, next, max, end;	/* max: the highest `next` so far; end: after the last byte to send */
	__u32 wnd, max_wnd, wl1;
	__u32 cwnd, ssthresh, recover;	/* congestion control, for extensions (RFC 5681, RFC 6582); at first no limits */
	__u32 counted;			/* bytes acknowledged since the window last grew in congestion avoidance */
	__u32 duplicates;		/* acknowledgements */
	__u32 past;			/* sequence numbers acknowledged so far, or UINT32_MAX */
	__u32 out;			/* unacknowledged bytes no longer under way, not counted against `cwnd` */
	__u32 irs, expected, right, fin;	/* right: the right edge of the announced window */
	__u32 acknowledged;		/* the last acknowledgement sent */

	__u64 srtt, rttvar, rto;	/* RFC 6298 */
	__u64 timed_at;			/* when the byte before `timed` was sent; 0 if none is timed */
	__u32 timed;
	__u64 heard;			/* when the last acceptable segment came */
	__u64 sent;			/* when the last segment with a sequence number of its own was sent */
	__u64 challenged;		/* when the last challenge was sent */
	__u64 asked;			/* when the last keep-alive probe was sent */
	__u32 asks;			/* probes without an answer */

	__u64 deadline[TCP_TIMERS];	/* 0: not set */
	struct heap_node node;		/* keyed by the earliest deadline */

	__u8 *sending, *early;		/* rings of bytes from una to end, and of bytes beyond a gap (bytes.h); NULL while empty */
	struct tcp_ranges pieces;	/* of `early` */

	struct link aged;		/* in the list of half-open connections, or of those in TIME-WAIT */
	struct link ready;		/* in the list of connections with something to send */
	__u64 own[];			/* each extension's struct STATE */
};

/* An application that wants to know of connections that others began; true if this one is its own. It may end it. */
struct tcp_acceptor {
	bool (*accept)(struct tcp *t);
	struct tcp_acceptor *next;
};

/* Where an extension's memory is in `own`, in words; `is` is a checksum of its text. */
struct tcp_layer {
	__u32 is, begin, end;
};

struct tcp_slot {
	struct tcp *t;			/* NULL if free */
	__u32 generation;
	__u32 next;			/* the next free slot plus 1, or 0 */
};

struct tcp_connections {
	struct tcp_slot *slot;		/* [capacity] */
	__u32 capacity, free;		/* the first free slot plus 1, or 0 */
	struct index index;
	__u32 outside;
	struct heap heap;
	struct link half_open, over, ready;
	__u32 half_open_count;
	__u32 *peers, peer_most;	/* connections that peers began, by a hash of the address (tcp_peer), and the most of one */
	struct pkt *answers[TCP_ANSWERS];	/* resets (packets.c) */
	__u32 answering;

	struct tcp_counters *counters;
	struct task *output;		/* TCPOutput's */
	struct timer *timer;		/* TCPConnections' */
	struct tcp_acceptor *acceptors;
	__u32 buffer, mtu, extra;	/* bytes per direction; of packets; of extensions' state */
	const struct tcp_layer *layers;	/* up to one of 0 */
	__u64 memory, used;		/* bytes of rings: limit and current */
	__u64 rto_least, silence;	/* silence: time without a segment before a check; 0 for none */
	bool nodelay;
};

/* A segment's fields (RFC 9293, 3.10.7); `length` counts data only. */
struct tcp_segment {
	struct tcp_header *header;
	__u32 seq, ack, window, length;
	__u8 flags;
};

/* The most data in a segment from the peer. */
static inline __u32 tcp_own_mss(const struct tcp *t)
{
	return t->all->mtu - sizeof(struct tcp_header) - (t->is_ip4 ? sizeof(struct iphdr) : sizeof(struct ip6_header));
}

/* Begin with this sequence number. */
static inline void tcp_begin_at(struct tcp *t, __u32 iss)
{
	t->iss = t->una = t->next = t->max = t->recover = iss;
	t->end = iss + 1;
}

/* Bytes waiting to be sent or acknowledged. */
static inline __u32 tcp_held(const struct tcp *t)
{
	/* The SYN isn't one. */
	const __u32 first = t->una + (t->state <= TCP_SYN_RECEIVED && t->una == t->iss);

	return seq_before(first, t->end) ? t->end - first : 0;
}

/* Bytes under way, without those that the first duplicate acknowledgements let go beyond the window (RFC 5681, 3.2). */
static inline __u32 tcp_flight(const struct tcp *t)
{
	return t->max - t->una < t->cwnd ? t->max - t->una : t->cwnd;
}

/* Whether an acknowledgement is between what may still be under way and what was sent (RFC 5961, 5.2); the SYN's is over. */
static inline bool tcp_is_believable(const struct tcp *t, __u32 ack)
{
	const __u32 back = t->max_wnd < t->past - 1 ? t->max_wnd : t->past - 1;

	return seq_upto(ack, t->max) && (seq_before(t->una, ack) || t->una - ack <= back);
}

/* How many sequence numbers a segment takes. */
static inline __u32 tcp_span(const struct tcp_segment *s)
{
	return s->length + !!(s->flags & TCP_SYN) + !!(s->flags & TCP_FIN);
}

/* The slot of a connection's number. */
static inline __u32 tcp_slot(__u32 number)
{
	return (number & ((1u << TCP_SLOT_BITS) - 1)) - 1;
}

/* The connection with a number, or NULL if it is over. */
static inline struct tcp *tcp_numbered(const struct tcp_connections *c, __u32 number)
{
	struct tcp *t = tcp_slot(number) < c->capacity ? c->slot[tcp_slot(number)].t : NULL;

	return t && t->number == number ? t : NULL;
}

/* The connection of a packet. */
static inline struct tcp *tcp_of(const struct tcp_connections *c, struct pkt *p)
{
	return tcp_numbered(c, pkt_anno_u32(p, AGGREGATE_ANNO));
}

/* Allocate memory; capacity, buffer and the like are set. 0, or -ENOMEM. */
int tcp_open(struct tcp_connections *c);
/* Free all connections, without notice to peers. */
void tcp_close(struct tcp_connections *c);

/* The connection with a key, or NULL. */
struct tcp *tcp_find(const struct tcp_connections *c, const struct tcp_key *key);
/* Make a connection in state SYN-SENT or SYN-RECEIVED, with its initial sequence number. If all slots are taken, it replaces a
 * half-open one or one in TIME-WAIT; NULL if there is none, or no memory.
 */
struct tcp *tcp_new(struct tcp_connections *c, const struct tcp_key *key, __u8 state);
/* Open a connection from this side between these addresses, from a port of its choice from 32768 on (RFC 6056, 3.3.3). NULL as above. */
struct tcp *tcp_connect(struct tcp_connections *c, const __u8 *own, const __u8 *peer, __u16 port);
/* Both sides have acknowledged SYNs: the connection goes to its acceptor, which may end it, as may peer_most. */
void tcp_establish(struct tcp *t);
/* Change the state; also moves the connection between the lists of half-open ones and of TIME-WAIT. */
void tcp_enter(struct tcp *t, __u8 state);
/* An event of the end changes the state, if it does (RFC 9293, figure 5). */
enum tcp_event { TCP_SHUT, TCP_FIN_ACKNOWLEDGED, TCP_FIN_RECEIVED };
void tcp_close_by(struct tcp *t, enum tcp_event event);
/* The application sends no more: the FIN follows its data. A connection that isn't established yet ends, unless it is joined. */
void tcp_shut(struct tcp *t);
/* End the connection; its number becomes invalid. A joined connection ends, too, unless both directions are finished. */
void tcp_end(struct tcp *t);
/* Take over connections of an earlier router with their numbers, as far as there is room, and what extensions of both know of them.
 * Returns the number left behind.
 */
__u32 tcp_take(struct tcp_connections *c, struct tcp_connections *from);

/* Set a timer, or clear it with 0. */
void tcp_set_timer(struct tcp *t, int timer, __u64 when);
/* Set the timer after which a connection that hears nothing is looked at. */
void tcp_linger(struct tcp *t);
/* Mark a connection as having something to send. */
void tcp_ready(struct tcp *t);
/* Send an acknowledgement soon. */
void tcp_acknowledge(struct tcp *t);
/* Acknowledge what may be forged (RFC 5961), at most twice a second for each connection. */
void tcp_challenge(struct tcp *t);
