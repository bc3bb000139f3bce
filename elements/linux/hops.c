/* Next hops of routes (hops.h). */
#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>
#include "routestructures.h"
#include "linux/hops.h"

#define CHAINS 4096
#define REST 100000000ll	/* ns for which a packet may still use a freed number */

static void write_word(struct hop *hop, __u64 word)
{
	__atomic_store_n(&hop->word, word, __ATOMIC_RELEASE);
}

/* The head of a hash chain, by FNV-1a. */
static __u32 *chain_of(struct hops *h, __u64 word, const void *bytes, size_t length)
{
	__u64 hash = 0xcbf29ce484222325ull ^ word;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ ((const __u8 *)bytes)[i]) * 0x100000001b3ull;
	return &h->chain[(hash ^ hash >> 32) % CHAINS];
}

/* The hash chain for a number. Groups are identified by their members only. */
static __u32 *chain_for(struct hops *h, __u32 number)
{
	const struct hop_record *record = h->record[number];
	const struct hop *hop = &h->hop[number];

	if (record->members)
		return chain_of(h, HOP_GROUP, record->member, record->members * sizeof(*record->member));
	return chain_of(h, hop_word(record->port, hop_kind(hop->word), hop->word >> 32), hop->gateway, sizeof(hop->gateway));
}

static void enter(struct hops *h, __u32 number)
{
	__u32 *chain = chain_for(h, number);

	h->record[number]->next = *chain;
	*chain = number;
}

int hops_open(struct hops *h, struct hop *hop, __u32 capacity, __u32 *bucket, __u32 groups)
{
	*h = (struct hops){ .hop = hop, .capacity = capacity, .bucket = bucket, .groups = groups, .fresh = 1 };
	h->record = calloc(capacity, sizeof(*h->record));
	h->chain = calloc(CHAINS, sizeof(*h->chain));
	h->block = calloc(groups, 1);
	if (!h->record || !h->chain || !h->block)
		return -ENOMEM;
	for (__u32 i = 1; i < capacity; i++) {
		if (hop_kind(hop[i].word) == HOP_NONE)
			continue;
		for (; h->fresh <= i; h->fresh++)
			if (!(h->record[h->fresh] = calloc(1, sizeof(**h->record))))
				return -ENOMEM;
		h->record[i]->port = (int)(hop[i].word & 0xffff) - 1;
		if (hop_kind(hop[i].word) == HOP_GROUP)
			h->block[(hop[i].word >> 32) / HOP_BUCKETS] = 1;
		else
			enter(h, i);
	}
	return 0;
}

void hops_close(struct hops *h)
{
	for (__u32 i = 0; h->record && i < h->fresh; i++)
		free(h->record[i]);
	free(h->record);
	free(h->chain);
	free(h->block);
	*h = (struct hops){ 0 };
}

/* Take the number that has been free for longest, with a record; 0 if there is none. */
static __u32 take(struct hops *h, __u32 members, __s64 time)
{
	struct hop_record *record = calloc(1, sizeof(*record) + members * sizeof(*record->member));
	__u32 number = h->oldest;

	if (number && time - h->record[number]->freed > REST) {
		h->oldest = h->record[number]->next;
		free(h->record[number]);
	} else {
		number = record && h->fresh < h->capacity ? h->fresh++ : 0;
	}
	if (!record || !number) {
		free(record);
		return 0;
	}
	record->users = 1;
	record->members = members;
	h->record[number] = record;
	return number;
}

__u32 hops_get(struct hops *h, __u8 kind, int port, __u32 longest, const __u8 *gateway, __s64 time)
{
	const __u64 word = hop_word(port, kind, longest);
	__u32 number = *chain_of(h, word, gateway, 16);

	for (; number; number = h->record[number]->next) {
		const struct hop *hop = &h->hop[number];

		if (h->record[number]->port == port && hop->word >> 16 == word >> 16 && !memcmp(hop->gateway, gateway, 16)) {
			h->record[number]->users++;
			return number;
		}
	}
	number = take(h, 0, time);
	if (!number)
		return HOP_LINUX;
	h->record[number]->port = port;
	memcpy(h->hop[number].gateway, gateway, 16);
	write_word(&h->hop[number], word);
	enter(h, number);
	return number;
}

/* The member that lacks the most buckets. */
static __u32 neediest(const int *lacks, __u32 members)
{
	__u32 found = 0;

	for (__u32 i = 1; i < members; i++)
		if (lacks[i] > lacks[found])
			found = i;
	return found;
}

static void share(__u32 *bucket, const __u32 *old, const struct hop_member *member, __u32 members)
{
	int lacks[HOP_MOST_MEMBERS], rest = HOP_BUCKETS;
	__u32 total = 0;

	for (__u32 i = 0; i < members; i++)
		total += member[i].weight;
	for (__u32 i = 0; i < members; i++)
		rest -= lacks[i] = HOP_BUCKETS * member[i].weight / total;
	for (__u32 i = 0; rest; i = (i + 1) % members, rest--)
		lacks[i]++;
	for (__u32 b = 0; b < HOP_BUCKETS; b++) {
		bucket[b] = ~0u;
		for (__u32 i = 0; old && i < members; i++)
			if (old[b] == member[i].hop && lacks[i] > 0) {
				bucket[b] = member[i].hop;
				lacks[i]--;
				break;
			}
	}
	for (__u32 b = 0; b < HOP_BUCKETS; b++)
		if (bucket[b] == ~0u) {
			const __u32 i = neediest(lacks, members);

			bucket[b] = member[i].hop;
			lacks[i]--;
		}
}

static void put_all(struct hops *h, const struct hop_member *member, __u32 members, __s64 time)
{
	for (__u32 i = 0; i < members; i++)
		hops_put(h, member[i].hop, time);
}

__u32 hops_group(struct hops *h, const struct hop_member *member, __u32 members, __u32 old, __s64 time)
{
	__u32 number = *chain_of(h, HOP_GROUP, member, members * sizeof(*member)), block = h->turn;

	for (; number; number = h->record[number]->next)
		if (h->record[number]->members == members && !memcmp(h->record[number]->member, member, members * sizeof(*member))) {
			put_all(h, member, members, time);
			h->record[number]->users++;
			return number;
		}
	for (__u32 i = 0; i < h->groups && h->block[block]; i++)
		block = (block + 1) % h->groups;
	number = h->block[block] ? 0 : take(h, members, time);
	if (!number) {
		put_all(h, member, members, time);
		return HOP_LINUX;
	}
	h->block[block] = 1;
	h->turn = (block + 1) % h->groups;
	memcpy(h->record[number]->member, member, members * sizeof(*member));
	share(h->bucket + block * HOP_BUCKETS,
	      hop_kind(h->hop[old].word) == HOP_GROUP ? h->bucket + (h->hop[old].word >> 32) : NULL, member, members);
	h->record[number]->port = -1;
	write_word(&h->hop[number], hop_word(-1, HOP_GROUP, block * HOP_BUCKETS));
	enter(h, number);
	return number;
}

static void leave(struct hops *h, __u32 number)
{
	__u32 *place = chain_for(h, number);

	while (*place && *place != number)
		place = &h->record[*place]->next;
	if (*place)
		*place = h->record[number]->next;
}

/* Free a number; its word stays, since packets may still read it. */
static void release(struct hops *h, __u32 number, __s64 time)
{
	struct hop_record *record = h->record[number];

	leave(h, number);
	if (hop_kind(h->hop[number].word) == HOP_GROUP)
		h->block[(h->hop[number].word >> 32) / HOP_BUCKETS] = 0;
	put_all(h, record->member, record->members, time);
	record->members = 0;
	record->freed = time;
	record->next = 0;
	if (h->oldest)
		h->record[h->newest]->next = number;
	else
		h->oldest = number;
	h->newest = number;
}

void hops_put(struct hops *h, __u32 number, __s64 time)
{
	if (number && !--h->record[number]->users)
		release(h, number, time);
}

void hops_clean(struct hops *h, __s64 time)
{
	for (__u32 i = 1; i < h->fresh; i++)
		if (!h->record[i]->users && !h->record[i]->freed)
			release(h, i, time);
}

void hops_switch(struct hops *h, int port, bool leaves)
{
	for (__u32 i = 1; i < h->fresh; i++)
		if (h->record[i]->port == port && port >= 0 && h->record[i]->users)
			write_word(&h->hop[i], (h->hop[i].word & ~0xffffull) | (leaves ? port + 1 : 0));
}
