/* Reassembly of an IPv6 packet from fragments (RFC 8200, 4.5): the pieces that have arrived. Runtime only. */
#pragma once

#include <stdlib.h>
#include "ip/partials.h"
#include "ip6/ip6.h"

/* Bytes counted for each fragment besides its own, so that small fragments don't get a sender more buffers. */
#define PIECE6_OVERHEAD 256

/* A fragment, with the bytes [from, to) of the divided packet. */
struct piece6 {
	struct piece6 *next;
	struct pkt *p;
	__u32 from, to;
};

struct partial6 {
	struct partial waiting;
	__s64 began;			/* as now() */
	struct piece6 *first, *last;	/* in order; none overlap */
	__u32 pieces;
	__u32 here, total;		/* bytes that have arrived; bytes in total, 0 until the last fragment has arrived */
};

static inline __u32 piece6_cost(const struct pkt *p)
{
	return pkt_len(p) + PIECE6_OVERHEAD;
}

/* The partial packet that fragments with this header belong to, begun if necessary; NULL when out of memory. */
static inline struct partial6 *partial6_of(struct partials *all, const struct ip6_header *ip, __be32 id)
{
	const __u64 key[PARTIAL_WORDS] = {
		ip6_high(ip->source), ip6_low(ip->source), ip6_high(ip->destination), ip6_low(ip->destination), id,
	};
	struct partial6 *partial = partials_find(all, key);

	if (partial)
		return partial;
	partial = partials_begin(all, key, sizeof(*partial));
	if (partial)
		partial->began = now();
	return partial;
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

/* Frees a packet with its pieces. */
static inline void partial6_forget(struct partial *waiting)
{
	struct partial6 *partial = (struct partial6 *)waiting;
	struct pkt *p;

	while ((p = partial6_take(partial)))
		pkt_free(p);
	free(partial);
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
	partial->pieces++;
	partial->here += to - from;
	if (!more)
		partial->total = to;
	return PIECE6_KEPT;
}

static inline bool partial6_is_whole(const struct partial6 *partial)
{
	return partial->total && partial->here == partial->total;
}
