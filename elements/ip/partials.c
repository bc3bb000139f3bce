/* Packets that wait for fragments: finding them, and their order. */
#include "element.h"
#include "ip/partials.h"
#include "siphash.h"

#include <stdlib.h>
#include <string.h>

#define PARTIALS_BITS_MIN 8
#define PARTIALS_BITS_MAX 16

bool partials_open(struct partials *all, __u32 most)
{
	all->bits = PARTIALS_BITS_MIN;
	while (all->bits < PARTIALS_BITS_MAX && most >> all->bits)
		all->bits++;
	all->bucket = calloc(1u << all->bits, sizeof(*all->bucket));
	return all->bucket;
}

struct partial **partials_bucket(const struct partials *all, const __u64 *key)
{
	return &all->bucket[siphash(hash_key(), key, PARTIAL_WORDS, 1, 3) >> (64 - all->bits)];
}

void *partials_find(const struct partials *all, const __u64 *key)
{
	struct partial *partial = *partials_bucket(all, key);

	while (partial && memcmp(partial->key, key, sizeof(partial->key)))
		partial = partial->next;
	return partial;
}

/* Add a packet as the newest. */
static void partials_add(struct partials *all, struct partial *partial)
{
	struct partial **bucket = partials_bucket(all, partial->key);

	partial->next = *bucket;
	*bucket = partial;
	partial->newer = NULL;
	partial->older = all->newest;
	*(all->newest ? &all->newest->newer : &all->oldest) = partial;
	all->newest = partial;
	all->memory += partial->memory;
}

void *partials_begin(struct partials *all, const __u64 *key, __u32 size)
{
	struct partial *partial = calloc(1, size);

	if (!partial)
		return NULL;
	memcpy(partial->key, key, sizeof(partial->key));
	partials_add(all, partial);
	return partial;
}

int partials_take(struct partials *all, struct partials *from)
{
	struct partial *next;
	int taken = 0;

	for (struct partial *partial = from->oldest; partial; partial = next, taken++) {
		next = partial->newer;
		partials_add(all, partial);
	}
	memset(from->bucket, 0, sizeof(*from->bucket) << from->bits);
	from->oldest = from->newest = NULL;
	from->memory = 0;
	return taken;
}

void partials_remove(struct partials *all, struct partial *partial)
{
	struct partial **place = partials_bucket(all, partial->key);

	while (*place != partial)
		place = &(*place)->next;
	*place = partial->next;
	*(partial->older ? &partial->older->newer : &all->oldest) = partial->newer;
	*(partial->newer ? &partial->newer->older : &all->newest) = partial->older;
	all->memory -= partial->memory;
}

void partials_close(struct partials *all, void (*forget)(struct partial *partial))
{
	while (all->oldest) {
		struct partial *partial = all->oldest;

		partials_remove(all, partial);
		forget(partial);
	}
	free(all->bucket);
	*all = (struct partials){};
}
