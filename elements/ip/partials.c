/* IPReassembler's partial packets: finding them, and their order. */
#include "element.h"
#include "ip/ip.h"
#include "ip/partials.h"
#include "siphash.h"

#include <stdlib.h>

#define PARTIALS_BITS_MIN 8
#define PARTIALS_BITS_MAX 16

bool partials_open(struct partials *all, __u32 memory)
{
	all->bits = PARTIALS_BITS_MIN;
	while (all->bits < PARTIALS_BITS_MAX && memory / PARTIAL_OVERHEAD >> all->bits)
		all->bits++;
	all->bucket = calloc(1u << all->bits, sizeof(*all->bucket));
	return all->bucket;
}

struct partial **partials_bucket(const struct partials *all, const struct iphdr *ip)
{
	const __u64 hash = siphash13_2(hash_key(), (__u64)ip->saddr << 32 | ip->daddr, (__u64)ip->id << 8 | ip->protocol);

	return &all->bucket[hash >> (64 - all->bits)];
}

struct partial **partials_find(const struct partials *all, const struct iphdr *ip)
{
	struct partial **place = partials_bucket(all, ip);

	while (*place && !partial_is_of(*place, ip))
		place = &(*place)->next;
	return place;
}

/* Add a partial packet as the newest. */
static void partials_add(struct partials *all, struct partial *partial)
{
	struct partial **bucket = partials_bucket(all, &partial->key);

	partial->next = *bucket;
	*bucket = partial;
	partial->newer = NULL;
	partial->older = all->newest;
	*(all->newest ? &all->newest->newer : &all->oldest) = partial;
	all->newest = partial;
	all->memory += partial_memory(partial);
}

struct partial *partials_begin(struct partials *all, const struct iphdr *fragment)
{
	struct partial *partial = calloc(1, sizeof(*partial));

	if (!partial)
		return NULL;
	partial->key = *fragment;
	partial->flags = fragment->frag_off & ~htons(IP_OFFSET);
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
	struct partial **place = partials_find(all, &partial->key);

	*place = partial->next;
	*(partial->older ? &partial->older->newer : &all->oldest) = partial->newer;
	*(partial->newer ? &partial->newer->older : &all->newest) = partial->older;
	all->memory -= partial_memory(partial);
}

void partials_close(struct partials *all)
{
	while (all->oldest) {
		struct partial *partial = all->oldest;

		partials_remove(all, partial);
		if (partial->header)
			pkt_free(partial->header);
		partial_free(partial);
	}
	free(all->bucket);
	*all = (struct partials){};
}
