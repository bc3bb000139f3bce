/* The table of a switch: the port and the time at which an Ethernet address was last seen.
 *
 * A hash table of buckets with four entries. A keyed hash gives each address two buckets, so that few addresses find both full
 * before most entries are in use, and nobody can choose the two without the key. An entry is two words: the address with its port's
 * number plus 1 above it, written in one store, so that readers never see an address with the wrong port; and the time at which the
 * address was last seen. The runtime adds, moves and removes addresses; the kernel path only updates the time.
 */
#pragma once

#include "siphash.h"

#define SWITCH_WAYS 4
#define SWITCH_ADDRESS 0x0000ffffffffffffull
/* Nanoseconds between two updates of an entry's time, to save stores. */
#define SWITCH_REFRESH 10000000ll
/* Not a port: all ports except the packet's own. */
#define SWITCH_FLOOD (-1)

struct switch_entry {
	__u64 *host, *seen;
	__u64 word;		/* the value read from *host */
};

static __always_inline int switch_port(__u64 word)
{
	return (int)(word >> 48) - 1;
}

static __always_inline __u64 switch_word(__u64 address, int port)
{
	return address | (__u64)(port + 1) << 48;
}

/* Read an address of 6 bytes as 8: two more bytes must be readable. */
static __always_inline __u64 switch_address(const void *at)
{
	return *(const __u64 *)at & SWITCH_ADDRESS;
}

/* One of an address's two buckets, of 1 << bits. */
static __always_inline __u32 switch_bucket(__u64 hash, int bits, int which)
{
	return hash >> (64 - bits * (which + 1)) & ((1u << bits) - 1);
}

/* Nanoseconds since the entry was last seen; negative if packets' clocks disagree. */
static __always_inline __s64 switch_age(const __u64 *seen, __u64 time)
{
	return time - read_once(*seen);
}

static __always_inline bool switch_look(__u64 *host, __u64 *seen, __u64 address, struct switch_entry *found)
{
	for (int way = 0; way < SWITCH_WAYS; way++) {
		const __u64 word = read_once(host[way]);

		if (word >> 48 && (word & SWITCH_ADDRESS) == address) {
			read_in_order();	/* the time, which was stored first */
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
