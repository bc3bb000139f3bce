/* A hash index: maps a table's keys to numbers of its entries. The runtime writes it while the kernel path reads it.
 *
 * An index is a power of two of buckets, each one cache line of eight words. A word has the upper half of the key's hash and the
 * number; 0 is a free word. A word is written in one store. A key's word is in one of two buckets, so hardly any bucket of a
 * half-full index is full; a word without room goes to a list that only the runtime sees.
 *
 * The table defines the meaning of the numbers, and has to compare the keys, since two keys may share the 31 stored bits of the
 * hash.
 */
#pragma once

#include "siphash.h"

#define INDEX_WORDS 8

struct index_bucket {
	__u64 word[INDEX_WORDS];
};

/* The hash of a key of 16 bytes. Its upper half is never 0, unlike that of a free word. */
static __always_inline __u64 index_hash(const __u64 key[2], __u64 one, __u64 other)
{
	return siphash13_2(key, one, other) | 1ull << 63;
}

/* The numbers of the two buckets; `mask` is the number of buckets minus 1. */
static __always_inline __u32 index_first(__u64 hash, __u32 mask)
{
	return (__u32)hash & mask;
}

static __always_inline __u32 index_second(__u64 hash, __u32 mask)
{
	return ((__u32)hash ^ (__u32)(hash >> 32) * 0x5bd1e995u) & mask;
}

/* A word that another thread or CPU may be writing. What it leads to was complete before it was written; the load that follows depends
 * on it, which arm64's CPUs keep in order, and x86's keep all loads.
 */
static __always_inline __u64 index_load(const __u64 *word)
{
#if USERSPACE
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
#else
	return *(const volatile __u64 *)word;
#endif
}

/* The number in a bucket under a hash, or 0. */
static __always_inline __u32 index_search(const struct index_bucket *bucket, __u64 hash)
{
#pragma clang loop unroll(full)
	for (int i = 0; i < INDEX_WORDS; i++) {
		const __u64 word = index_load(&bucket->word[i]);

		if (word >> 32 == hash >> 32)
			return (__u32)word;
	}
	return 0;
}

#if USERSPACE

struct index_entry {
	__u64 hash;
	__u32 number;
};

/* The runtime's view of an index; one writer at a time. */
struct index {
	struct index_bucket *bucket;
	__u32 mask;
	__u32 *outside;			/* shared: `used`, for the kernel path */
	struct index_entry *overflow;	/* words without room in their buckets */
	__u32 used, room;
};

static inline __u64 index_word(__u64 hash, __u32 number)
{
	return hash >> 32 << 32 | number;
}

static inline void index_store(__u64 *word, __u64 value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* All numbers with a hash, one after another: `*state` is 0 before the first; 0 is the end. It takes 2 * INDEX_WORDS steps, and one
 * for each word in the overflow list: hardly any, as long as the hash key is secret and half of the words are free.
 */
static inline __u32 index_next(const struct index *index, __u64 hash, __u32 *state)
{
	const __u32 first = index_first(hash, index->mask), second = index_second(hash, index->mask);

	while (*state < 2 * INDEX_WORDS) {
		const __u32 i = (*state)++;
		const __u64 word = index->bucket[i < INDEX_WORDS ? first : second].word[i % INDEX_WORDS];

		if (word >> 32 == hash >> 32 && !(i >= INDEX_WORDS && first == second))
			return (__u32)word;
	}
	while (*state - 2 * INDEX_WORDS < index->used) {
		const struct index_entry *entry = &index->overflow[(*state)++ - 2 * INDEX_WORDS];

		if (entry->hash == hash)
			return entry->number;
	}
	return 0;
}

/* Add a number, whose entry must be complete. False when out of memory. */
bool index_insert(struct index *index, __u64 hash, __u32 number);
/* Remove a number, if present. */
void index_remove(struct index *index, __u64 hash, __u32 number);
/* Whether a number is present. */
bool index_has(const struct index *index, __u64 hash, __u32 number);
/* Free the overflow list; the shared buckets stay unchanged. */
void index_close(struct index *index);

#endif
