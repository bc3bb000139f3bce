/* The trie and the hops that packets are routed by, as Linux has them, and what its messages (rtnetlink) change there. Runtime only. */
#pragma once

#include "linux/rib.h"

#define ROUTES_MOST_DEVICES 64

struct nlmsghdr;

/* Shared: what handlers show. */
struct routes_stats {
	__u64 updates, key[2];
	__u32 routes, unmirrored, resyncs, overruns, fields;
};

struct routes_port {
	__u32 index, mtu;
	bool is_up;
};

struct routes {
	int events, dumps;		/* sockets */
	int settings[2];		/* files: fib_multipath_hash_policy, fib_multipath_hash_fields; -1 for none */
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
	__s64 look;			/* when the settings are looked at again */
	__s64 due, asked, took;		/* when everything is asked for again, or 0; the last time that was done, and how long it took */
};

/* Have everything asked for again soon, when all that belongs together has happened. */
void routes_stale(struct routes *r, __s64 time);
/* Prefixes that Linux never forwards to by its table of unicast routes. */
void routes_never(struct rib *rib, int family);
/* What Linux answers, into `next`. */
void routes_take(struct routes *r, const struct nlmsghdr *header, __s64 time);
/* The answers are complete: they become what packets are routed by. */
void routes_change_over(struct routes *r, __s64 time);
/* What Linux tells of a change. */
void routes_change(struct routes *r, const struct nlmsghdr *header, __s64 time);
