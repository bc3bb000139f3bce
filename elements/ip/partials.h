/* IPReassembler's partial packets: found by the fields that their fragments have in common, and kept in the order in which they
 * began. Runtime only.
 */
#pragma once

#include "ip/reassembly.h"

struct partials {
	struct partial **bucket;	/* [1 << bits] */
	int bits;
	struct partial *oldest, *newest;
	__u32 memory;			/* bytes that they count for */
};

/* Start without partial packets. For `memory` bytes there are about as many buckets as packets, and the hash is keyed, so chains
 * have one or two entries. False when out of memory.
 */
bool partials_open(struct partials *all, __u32 memory);
/* The chain of those that share a hash with a packet. */
struct partial **partials_bucket(const struct partials *all, const struct iphdr *ip);
/* The link to the partial packet that a fragment belongs to, or its chain's end. */
struct partial **partials_find(const struct partials *all, const struct iphdr *ip);
/* A new partial packet for a fragment with this header; NULL when out of memory. */
struct partial *partials_begin(struct partials *all, const struct iphdr *fragment);
/* Move all of another router's, which hashes with another key; returns how many. */
int partials_take(struct partials *all, struct partials *from);
/* Remove a partial packet, which the caller then owns. */
void partials_remove(struct partials *all, struct partial *partial);
/* Free all, with their headers. */
void partials_close(struct partials *all);
