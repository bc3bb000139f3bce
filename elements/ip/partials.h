/* Packets that wait for the rest of their fragments, of IPv4 and of IPv6: hashed by the fields that a packet's fragments share, and
 * listed in the order of their first fragments. Runtime only.
 */
#pragma once

/* The most words of a key: addresses, identification and protocol. */
#define PARTIAL_WORDS 5

/* The beginning of the structures of both versions (ip/reassembly.h, ip6/reassembly6.h). */
struct partial {
	struct partial *next;		/* in its chain */
	struct partial *older, *newer;
	__u64 key[PARTIAL_WORDS];
	__u32 memory;			/* bytes that it counts for */
};

struct partials {
	struct partial **bucket;	/* [1 << bits] */
	int bits;
	struct partial *oldest, *newest;
	__u32 memory;			/* bytes that they count for */
};

/* Start empty. There are about as many buckets as packets, of which `most` may wait, and the hash is keyed, so chains have one or two
 * entries. False when out of memory.
 */
bool partials_open(struct partials *all, __u32 most);
/* The hash chain of a key. */
struct partial **partials_bucket(const struct partials *all, const __u64 *key);
/* The packet with a key, or NULL. */
void *partials_find(const struct partials *all, const __u64 *key);
/* Make a packet with a key and this many bytes for its structure, zeros, and add it as the newest; NULL when out of memory. */
void *partials_begin(struct partials *all, const __u64 *key, __u32 size);
/* Move all packets of another router, whose hash key differs; returns their number. */
int partials_take(struct partials *all, struct partials *from);
/* Remove a packet, which the caller then owns. */
void partials_remove(struct partials *all, struct partial *partial);
/* Remove all packets, which `forget` frees. */
void partials_close(struct partials *all, void (*forget)(struct partial *partial));

/* Count more bytes for a packet. */
static inline void partials_count(struct partials *all, struct partial *partial, __u32 bytes)
{
	partial->memory += bytes;
	all->memory += bytes;
}
