/* A hash index: under which number a table keeps a key. The runtime writes it, the kernel path reads it at the same time.
 *
 * An index is a power of two of buckets, each one cache line of eight words. A word has the upper half of the key's hash and
 * the number; 0 is a free word. It is written in one store. A key's word is in one of two buckets, so that a table half
 * full of words has hardly a bucket without room; a word that finds none goes to a list that only the runtime sees.
 *
 * What the number means is the table's business, also that its key is really the one looked for: of 2^31 hashes two may
 * be equal.
 */
#ifndef CLICKBPF_TABLES_INDEX_H
#define CLICKBPF_TABLES_INDEX_H

#include "siphash.h"

#define INDEX_WORDS 8
/* The second bucket is used for a key when the first has so many words and the second fewer. */
#define INDEX_CROWDED 6

struct index_bucket {
	__u64 word[INDEX_WORDS];
};

/* Of 16 bytes, by which a table finds what it keeps. The upper half is never 0, as in a free word. */
static __always_inline __u64 index_hash(const __u64 key[2], __u64 one, __u64 other)
{
	return siphash13_2(key, one, other) | 1ull << 63;
}

/* Numbers of the two buckets; `mask` is the number of buckets less one. */
static __always_inline __u32 index_first(__u64 hash, __u32 mask)
{
	return (__u32)hash & mask;
}

static __always_inline __u32 index_second(__u64 hash, __u32 mask)
{
	return ((__u32)hash ^ (__u32)(hash >> 32) * 0x5bd1e995u) & mask;
}

/* The number that a bucket has under a hash, or 0. */
static __always_inline __u32 index_search(const struct index_bucket *bucket, __u64 hash)
{
#pragma clang loop unroll(full)
	for (int i = 0; i < INDEX_WORDS; i++) {
		const __u64 word = *(const volatile __u64 *)&bucket->word[i];

		if (word >> 32 == hash >> 32)
			return (__u32)word;
	}
	return 0;
}

#if USERSPACE

#include <stdlib.h>

struct index_entry {
	__u64 hash;
	__u32 number;
};

/* The runtime's sight of an index; one writer at a time. */
struct index {
	struct index_bucket *bucket;
	__u32 mask;
	__u32 *outside;			/* shared, `used` for the kernel path */
	struct index_entry *overflow;	/* words that found no room */
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

/* The place of a number's word, or NULL. */
static inline __u64 *index_place(const struct index *index, __u64 hash, __u64 word)
{
	const __u32 buckets[2] = {index_first(hash, index->mask), index_second(hash, index->mask)};

	for (int b = 0; b < 2; b++)
		for (int i = 0; i < INDEX_WORDS; i++)
			if (index->bucket[buckets[b]].word[i] == word)
				return &index->bucket[buckets[b]].word[i];
	return NULL;
}

/* All numbers with a hash, one after another: `*state` is 0 before the first; 0 is the end. It takes 2 * INDEX_WORDS steps, and one
 * for each word that has found no room: none, as long as the hash has a secret key and half of the words are free.
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

static inline int index_used(const struct index_bucket *bucket)
{
	int used = 0;

	for (int i = 0; i < INDEX_WORDS; i++)
		used += bucket->word[i] != 0;
	return used;
}

/* A free word for a hash, or NULL. */
static inline __u64 *index_free_word(const struct index *index, __u64 hash)
{
	struct index_bucket *first = &index->bucket[index_first(hash, index->mask)];
	struct index_bucket *second = &index->bucket[index_second(hash, index->mask)];
	const int used = index_used(first);
	struct index_bucket *chosen = used >= INDEX_CROWDED && index_used(second) < used ? second : first;

	for (int i = 0; i < INDEX_WORDS; i++)
		if (!chosen->word[i])
			return &chosen->word[i];
	return NULL;
}

/* Publish a number: what it stands for is complete already. False if there is no memory. */
static inline bool index_insert(struct index *index, __u64 hash, __u32 number)
{
	__u64 *word = index_free_word(index, hash);

	if (word) {
		index_store(word, index_word(hash, number));
		return true;
	}
	if (index->used == index->room) {
		const __u32 room = index->room ? 2 * index->room : 64;
		struct index_entry *more = realloc(index->overflow, room * sizeof(*more));

		if (!more)
			return false;
		index->overflow = more;
		index->room = room;
	}
	index->overflow[index->used++] = (struct index_entry){hash, number};
	__atomic_store_n(index->outside, index->used, __ATOMIC_RELEASE);
	return true;
}

static inline void index_remove(struct index *index, __u64 hash, __u32 number)
{
	__u64 *word = index_place(index, hash, index_word(hash, number));

	if (word) {
		index_store(word, 0);
		return;
	}
	for (__u32 i = 0; i < index->used; i++) {
		if (index->overflow[i].hash == hash && index->overflow[i].number == number) {
			index->overflow[i] = index->overflow[--index->used];
			*index->outside = index->used;
			return;
		}
	}
}

/* Whether a number is there. */
static inline bool index_has(const struct index *index, __u64 hash, __u32 number)
{
	__u32 state = 0, found;

	while ((found = index_next(index, hash, &state)))
		if (found == number)
			return true;
	return false;
}

static inline void index_close(struct index *index)
{
	free(index->overflow);
	index->overflow = NULL;
	index->used = index->room = 0;
}

#endif
#endif
