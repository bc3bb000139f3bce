/* The trie and the hops that packets are routed by, kept equal to Linux's routes by its rtnetlink messages. Runtime only.
 * struct routes_stats and ROUTES_MOST_DEVICES are generated: routestructures.h (_routetable.py).
 */
#pragma once

#include "linux/rib.h"

struct nlmsghdr;

struct routes_port {
	__u32 index, mtu;
	bool is_up;
};

struct routes {
	int events, dumps;		/* sockets */
	int settings[3];		/* files: fib_multipath_hash_policy, fib_multipath_hash_fields, whether Linux forwards; -1 for none */
	int family;
	__u32 table;			/* 0: the tables of Linux's default rules */
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
	int asking;			/* the dump in progress, RTM_GET...; 0 for none */
	bool is_open, is_ready, is_inconsistent, has_rules, had_rules, is_told, is_off;
	__u32 sequence;
	char *kept;			/* notifications that arrived during a dump */
	size_t kept_length, kept_room;
	__s64 look;			/* when to check the settings next */
	__s64 due, asked, took;		/* when the next dump is due, or 0; time and duration of the last one */
};

/* Schedule a dump soon, after related changes have arrived. */
void routes_stale(struct routes *r, __s64 time);
/* Add prefixes that Linux never forwards to by its unicast routes. */
void routes_never(struct rib *rib, int family);
/* Process a message of a dump, into `next`. */
void routes_take(struct routes *r, const struct nlmsghdr *header, __s64 time);
/* The dump is complete: merge it into the trie in use. */
void routes_change_over(struct routes *r, __s64 time);
/* Linux has stopped forwarding, or begun: while it is off, all packets are left to it. */
void routes_switch(struct routes *r, bool is_off, __s64 time);
/* Process a notification. */
void routes_change(struct routes *r, const struct nlmsghdr *header, __s64 time);
