/* IPReassembler's partial packets, hashed by the fields that identify a packet, and listed in the order of their first fragments.
 * Runtime only.
 */
#pragma once

#include "ip/reassembly.h"

struct partials {
	struct partial **bucket;	/* [1 << bits] */
	int bits;
	struct partial *oldest, *newest;
	__u32 memory;			/* bytes that they count for */
};

/* Start empty. There are about as many buckets as packets in `memory` bytes, and the hash is keyed, so chains have one or two
 * entries. False when out of memory.
 */
bool partials_open(struct partials *all, __u32 memory);
/* The hash chain for a packet. */
struct partial **partials_bucket(const struct partials *all, const struct iphdr *ip);
/* The link to the partial packet of a fragment, or the end of its chain. */
struct partial **partials_find(const struct partials *all, const struct iphdr *ip);
/* Add a partial packet for a fragment with this header; NULL when out of memory. */
struct partial *partials_begin(struct partials *all, const struct iphdr *fragment);
/* Move all partial packets of another router, whose hash key differs; returns their number. */
int partials_take(struct partials *all, struct partials *from);
/* Remove a partial packet, which the caller then owns. */
void partials_remove(struct partials *all, struct partial *partial);
/* Free all partial packets, with their headers. */
void partials_close(struct partials *all);
