/* Pairs of numbers: a key of 32 bits and its value, in one word. So a value changes only as long as it is that key's, although the
 * runtime may give the place to another key while the kernel path counts. An index (index.h) says where a key's pair is.
 */
#pragma once

#include "tables/index.h"

/* Attempts of the kernel path to change a word that others change at the same moment. */
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

/* Add to the value of a key, which must not be 0. False, with nothing changed, if it is, if the pair is another key's, or if others
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
