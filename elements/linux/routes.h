/* Follows Linux's routes by rtnetlink, and keeps the trie and the hops that packets are routed by as Linux has them. Runtime only.
 *
 * First everything is asked for: links, rules, routes. A trie is made of the answer aside, and the one that packets use is made equal to it,
 * cell by cell: no packet meets a hole, neither after a restart, nor when Linux has lost messages because they came too fast (ENOBUFS).
 * From then on each message changes what it is about, also while everything is asked for again: those messages are kept, and change what the
 * answer has, too, because it may be older than they are. What Linux does without saying so, as when a device goes down or an address goes
 * that routes name as their source, is found by asking for everything again, soon after whatever may cause it.
 */
#pragma once

#include "linux/rib.h"

#define ROUTES_MOST_DEVICES 64

/* Shared: what handlers show. */
struct routes_stats {
	__u64 updates, key[2];
	__u32 routes, unmirrored, resyncs, overruns, policy;
};

struct routes_port {
	__u32 index, mtu;
	bool is_up;
};

struct routes {
	int events, dumps;		/* sockets */
	int family;
	__u32 table;			/* 0: that of Linux's rules, as long as these are Linux's own */
	bool is_vrf;			/* the table has its own local addresses */
	struct routes_port port[ROUTES_MOST_DEVICES];
	__u32 ports;
	struct routes_stats *stats;
	void (*tell)(const char *what);
	__u32 *cell, chunks;
	struct hop *hop;
	__u32 hop_capacity, *bucket, groups;

	struct cells cells;
	struct hops hops;
	struct rib now, next;
	int asking;			/* what was asked for, RTM_GET...; 0 is nothing */
	bool is_open, is_ready, is_inconsistent, has_rules, had_rules, is_told;
	__u32 sequence;
	char *kept;			/* messages that came while Linux was answering */
	size_t kept_length, kept_room;
	__s64 due, asked, took;		/* when everything is asked for again, or 0; the last time that was done, and how long it took */
};

/* Have everything asked for again soon, when all that belongs together has happened. */
void routes_stale(struct routes *r, __s64 time);
/* The timer of what is due: begin to ask. */
void routes_ask(struct routes *r, __s64 time);
/* A socket has something; some of it is read. */
void routes_read(struct routes *r, __s64 (*clock)(void));
void routes_close(struct routes *r);
