/* IPv6 packets being reassembled (RFC 8200, 4.5), hashed by the fields that fragments share, and listed in the order of their first
 * fragments. Runtime only.
 */
#pragma once

#include <stdlib.h>
#include <string.h>
#include "ip6/ip6.h"
#include "siphash.h"

#define PARTIALS6_BITS 10
/* Bytes counted for each fragment besides its own, so that small fragments don't get a sender more buffers. */
#define PARTIALS6_OVERHEAD 256

/* A fragment, with the bytes [from, to) of the divided packet. */
struct piece6 {
	struct piece6 *next;
	struct pkt *p;
	__u32 from, to;
};

struct partial6 {
	struct partial6 *next;		/* the next in the hash's chain */
	struct partial6 *older, *newer;
	__u8 source[16], destination[16];
	__be32 id;
	__s64 began;			/* as now() */
	struct piece6 *first, *last;	/* in order; none overlap */
	__u32 here, total;		/* bytes that have arrived; bytes in total, 0 until the last fragment has arrived */
};

struct partials6 {
	struct partial6 *bucket[1 << PARTIALS6_BITS];
	struct partial6 *oldest, *newest;
	__u32 memory;
};

static inline __u32 partials6_cost(const struct pkt *p)
{
	return pkt_len(p) + PARTIALS6_OVERHEAD;
}

/* Keyed, so that outsiders don't know which packets share a chain. */
static inline struct partial6 **partials6_bucket(struct partials6 *all, const __u8 *source, const __u8 *destination, __be32 id)
{
	__u64 words[4], hash;

	memcpy(words, source, 16);
	memcpy(words + 2, destination, 16);
	hash = siphash13_2(hash_key(), words[0], words[1]);
	hash = siphash13_2(hash_key(), words[2] ^ hash, words[3] ^ id);
	return &all->bucket[hash >> (64 - PARTIALS6_BITS)];
}

/* The link to the packet of a fragment, or the end of its chain. */
static inline struct partial6 **partials6_find(struct partials6 *all, const __u8 *source, const __u8 *destination, __be32 id)
{
	struct partial6 **place = partials6_bucket(all, source, destination, id);

	while (*place && !((*place)->id == id && ip6_equal((*place)->source, source) && ip6_equal((*place)->destination, destination)))
		place = &(*place)->next;
	return place;
}

/* Adds a packet as the newest; the caller counts the memory of its pieces. */
static inline void partials6_add(struct partials6 *all, struct partial6 *partial)
{
	struct partial6 **bucket = partials6_bucket(all, partial->source, partial->destination, partial->id);

	partial->next = *bucket;
	*bucket = partial;
	partial->newer = NULL;
	partial->older = all->newest;
	*(all->newest ? &all->newest->newer : &all->oldest) = partial;
	all->newest = partial;
}

static inline struct partial6 *partials6_begin(struct partials6 *all, const struct ip6_header *ip, __be32 id)
{
	struct partial6 *partial = calloc(1, sizeof(*partial));

	if (!partial)
		return NULL;
	ip6_copy(partial->source, ip->source);
	ip6_copy(partial->destination, ip->destination);
	partial->id = id;
	partial->began = now();
	partials6_add(all, partial);
	return partial;
}

/* Moves all packets of another router, whose hash key differs; returns their number, and that of their fragments. */
static inline int partials6_take(struct partials6 *all, struct partials6 *from, int *fragments)
{
	struct partial6 *next;
	int taken = 0;

	*fragments = 0;
	for (struct partial6 *partial = from->oldest; partial; partial = next, taken++) {
		next = partial->newer;
		partials6_add(all, partial);
		for (const struct piece6 *piece = partial->first; piece; piece = piece->next)
			++*fragments;
	}
	all->memory += from->memory;
	memset(from, 0, sizeof(*from));
	return taken;
}

/* Removes a packet, which the caller then owns. */
static inline void partials6_remove(struct partials6 *all, struct partial6 *partial)
{
	*partials6_find(all, partial->source, partial->destination, partial->id) = partial->next;
	*(partial->older ? &partial->older->newer : &all->oldest) = partial->newer;
	*(partial->newer ? &partial->newer->older : &all->newest) = partial->older;
	for (const struct piece6 *piece = partial->first; piece; piece = piece->next)
		all->memory -= partials6_cost(piece->p);
}

/* Takes out the packet of the first piece; NULL if there is no piece. */
static inline struct pkt *partial6_take(struct partial6 *partial)
{
	struct piece6 *piece = partial->first;
	struct pkt *p;

	if (!piece)
		return NULL;
	p = piece->p;
	partial->first = piece->next;
	free(piece);
	return p;
}

enum piece6_fate { PIECE6_KEPT, PIECE6_DUPLICATE, PIECE6_WRONG, PIECE6_NO_MEMORY };

/* Finds the piece after which to insert a new one, NULL for the front. False if it overlaps another, or duplicates one (*same). */
static inline bool partial6_place(struct partial6 *partial, __u32 from, __u32 to, struct piece6 **after, bool *same)
{
	struct piece6 *next;

	*same = false;
	*after = partial->last && partial->last->to <= from ? partial->last : NULL;
	if (*after)
		return true;
	for (next = partial->first; next && next->to <= from; next = next->next)
		*after = next;
	*same = next && next->from == from && next->to == to;
	return !next || next->from >= to;
}

/* Adds a fragment with the bytes [from, to); with `more`, it isn't the last. The fragment is kept, or remains the caller's.
 * Overlaps and contradictory ends are errors (RFC 8200, 4.5; RFC 5722).
 */
static inline enum piece6_fate partial6_add(struct partial6 *partial, struct pkt *p, __u32 from, __u32 to, bool more)
{
	struct piece6 *after, *piece;
	bool same;

	if (!partial6_place(partial, from, to, &after, &same))
		return same ? PIECE6_DUPLICATE : PIECE6_WRONG;
	if (partial->total && (to > partial->total || !more))
		return PIECE6_WRONG;
	if (!more && partial->last && partial->last->to > to)
		return PIECE6_WRONG;
	piece = malloc(sizeof(*piece));
	if (!piece)
		return PIECE6_NO_MEMORY;
	*piece = (struct piece6){ .next = after ? after->next : partial->first, .p = p, .from = from, .to = to };
	*(after ? &after->next : &partial->first) = piece;
	if (!piece->next)
		partial->last = piece;
	partial->here += to - from;
	if (!more)
		partial->total = to;
	return PIECE6_KEPT;
}

static inline bool partial6_is_whole(const struct partial6 *partial)
{
	return partial->total && partial->here == partial->total;
}
