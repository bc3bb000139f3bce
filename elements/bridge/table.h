/* The table of a switch: which port an Ethernet address was last seen on, and when.
 *
 * A hash table of buckets with four entries. An address may be in one of two buckets, so that few find both full before
 * most entries are in use; which two is unknown without the key. An entry is two words: the address with its port's number plus 1 above it, written in one store,
 * so that a reader sees an address with its port or not at all; and when the address was last seen.
 * The runtime enters, moves and removes addresses; the kernel path only says that it has seen one again.
 */
#pragma once

#include "siphash.h"

#define SWITCH_WAYS 4
#define SWITCH_ADDRESS 0x0000ffffffffffffull
/* Nanoseconds; a packet that comes within this time after another of its source doesn't cause a store. */
#define SWITCH_REFRESH 10000000ll
/* Not a port: to all ports but the one that the packet came from. */
#define SWITCH_FLOOD (-1)

struct switch_entry {
	__u64 *host, *seen;
	__u64 word;		/* what *host was */
};

static __always_inline int switch_port(__u64 word)
{
	return (int)(word >> 48) - 1;
}

static __always_inline __u64 switch_word(__u64 address, int port)
{
	return address | (__u64)(port + 1) << 48;
}

/* The address of 6 bytes, two more of which are readable. */
static __always_inline __u64 switch_address(const void *at)
{
	return *(const __u64 *)at & SWITCH_ADDRESS;
}

/* One of an address's two buckets, of 1 << bits. */
static __always_inline __u32 switch_bucket(__u64 hash, int bits, int which)
{
	return hash >> (64 - bits * (which + 1)) & ((1u << bits) - 1);
}

/* Nanoseconds since the entry was last seen; the clocks of packets may disagree, then it is negative. */
static __always_inline __s64 switch_age(const __u64 *seen, __u64 time)
{
	return time - read_once(*seen);
}

static __always_inline bool switch_look(__u64 *host, __u64 *seen, __u64 address, struct switch_entry *found)
{
	for (int way = 0; way < SWITCH_WAYS; way++) {
		const __u64 word = read_once(host[way]);

		if (word >> 48 && (word & SWITCH_ADDRESS) == address) {
			found->host = &host[way];
			found->seen = &seen[way];
			found->word = word;
			return true;
		}
	}
	return false;
}

static __always_inline bool switch_is_group(__u64 address)
{
	return address & 1;
}
