/* Follows Linux's neighbours on a device by rtnetlink. The kernel path reads the slots; the runtime writes them.
 *
 * A slot is an address and a word: the Ethernet address and, above it, a number that changes whenever the slot does. The word is zero while
 * the address changes; a reader that finds the same word before and after it reads the address has a consistent pair. An IPv4 address is
 * that of IPv6 to which it is mapped. A bucket of four slots follows from a product with a secret, so that nobody can choose addresses that
 * share one. Neighbours for which a bucket has no room are Linux's.
 */
#pragma once

#include <linux/types.h>
#include <stdbool.h>

#define NEIGHBOUR_BITS 11
#define NEIGHBOUR_SLOTS 4

struct neighbour {
	__u64 high, low, word;
	__u32 round;
	__u16 stale, used;	/* stale: Linux wants to hear whether it is used */
};

/* Shared: this side's Ethernet address as the low six bytes, and the secret. */
struct neighbour_vars {
	__u64 ether, secret;
	__u32 round, known;
};

static inline __u32 neighbour_bucket(const struct neighbour_vars *vars, __u64 low)
{
	return low * vars->secret >> (64 - NEIGHBOUR_BITS);
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

/* Ask for all of them. */
void neighbours_ask(struct neighbours *n);
void neighbours_read(struct neighbours *n);
/* Tell Linux which of the stale ones are used; whether there are stale ones. */
bool neighbours_use(struct neighbours *n);
