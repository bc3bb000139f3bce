/* Writing to a hash index. */
#include "element.h"
#include "tables/index.h"

#include <stdlib.h>

/* A key goes to the second bucket if the first has this many words, and the second has fewer. */
#define INDEX_CROWDED 6

/* The place of a number's word, or NULL. */
static __u64 *index_place(const struct index *index, __u64 hash, __u64 word)
{
	const __u32 buckets[2] = {index_first(hash, index->mask), index_second(hash, index->mask)};

	for (int b = 0; b < 2; b++)
		for (int i = 0; i < INDEX_WORDS; i++)
			if (index->bucket[buckets[b]].word[i] == word)
				return &index->bucket[buckets[b]].word[i];
	return NULL;
}

static int index_used(const struct index_bucket *bucket)
{
	int used = 0;

	for (int i = 0; i < INDEX_WORDS; i++)
		used += bucket->word[i] != 0;
	return used;
}

/* A free word for a hash, or NULL. */
static __u64 *index_free_word(const struct index *index, __u64 hash)
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

bool index_insert(struct index *index, __u64 hash, __u32 number)
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

void index_remove(struct index *index, __u64 hash, __u32 number)
{
	__u64 *word = index_place(index, hash, index_word(hash, number));

	if (word) {
		index_store(word, 0);
		return;
	}
	for (__u32 i = 0; i < index->used; i++) {
		if (index->overflow[i].hash == hash && index->overflow[i].number == number) {
			index->overflow[i] = index->overflow[--index->used];
			__atomic_store_n(index->outside, index->used, __ATOMIC_RELAXED);
			return;
		}
	}
}

bool index_has(const struct index *index, __u64 hash, __u32 number)
{
	__u32 state = 0, found;

	while ((found = index_next(index, hash, &state)))
		if (found == number)
			return true;
	return false;
}

void index_close(struct index *index)
{
	free(index->overflow);
	index->overflow = NULL;
	index->used = index->room = 0;
}
