/* Pairs of a 32-bit key and a 32-bit value in one word, so that a compare-and-swap changes the value of the right key only: the
 * runtime may reuse a pair for another key while the kernel path counts. An index (index.h) finds a key's pair.
 */
#pragma once

#include "tables/index.h"

/* The kernel path's attempts to change a word that other CPUs are changing. */
#define PAIR_TRIES 8

static __always_inline __u64 pair_hash(const __u64 secret[2], __u32 key)
{
	return index_hash(secret, key, 0);
}

static __always_inline __u64 pair_word(__u32 key, __u32 value)
{
	return (__u64)key << 32 | value;
}

static __always_inline __u32 pair_key(__u64 word)
{
	return word >> 32;
}

static __always_inline __u32 pair_value(__u64 word)
{
	return word;
}

/* Add to a key's value, unless it is 0. False, with nothing changed, if it is 0, if the pair is another key's, or if other CPUs
 * kept changing it.
 */
static __always_inline bool pair_add(__u64 *pair, __u32 key, __u32 amount)
{
	for (int i = 0; i < PAIR_TRIES; i++) {
		const __u64 word = read_once(*pair);

		if (pair_key(word) != key || !pair_value(word))
			return false;
		if (__sync_bool_compare_and_swap(pair, word, pair_word(key, pair_value(word) + amount)))
			return true;
	}
	return false;
}
