/* Follows Linux's neighbours on a device by rtnetlink. The kernel path reads the slots; the runtime writes them.
 *
 * A slot is an address and a word: the Ethernet address and, above it, a number that changes with every change of the slot. The
 * word is zero while the address changes; a reader that finds the same word before and after reading the address has a consistent
 * pair. IPv4 addresses are stored as IPv4-mapped IPv6 addresses. A keyed hash, a product with a secret, chooses a bucket of four
 * slots, so that nobody can choose addresses that collide. Neighbours without room in their bucket are left to Linux.
 *
 * struct neighbour, struct neighbour_vars, NEIGHBOUR_BITS and NEIGHBOUR_SLOTS are generated: neighbourstructures.h
 * (linuxneighbors.py).
 */
#pragma once

#include <linux/types.h>
#include <stdbool.h>

static inline __u32 neighbour_bucket(__u64 secret, __u64 low)
{
	return low * secret >> (64 - NEIGHBOUR_BITS);
}

struct neighbours {
	int events, dumps;
	__u32 index;
	struct neighbour *slot;		/* [NEIGHBOUR_SLOTS << NEIGHBOUR_BITS] */
	struct neighbour_vars *vars;
	void (*tell)(const char *what);
	int asking;
	bool is_lost, is_told, is_watching;	/* messages were lost; some neighbour is stale */
	__u16 number;
	__u32 sequence;
};

/* Request a dump of all neighbours. */
void neighbours_ask(struct neighbours *n);
void neighbours_read(struct neighbours *n);
/* Report the used ones among stale neighbours to Linux; returns whether there are stale ones. */
bool neighbours_use(struct neighbours *n);
