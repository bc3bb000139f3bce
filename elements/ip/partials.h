/* The packets that IPReassembler puts together: found by what their fragments have in common, and in the order in which they
 * began. Runtime only.
 */
#ifndef CLICKBPF_IP_PARTIALS_H
#define CLICKBPF_IP_PARTIALS_H

#include "ip/reassembly.h"

struct partials {
	struct partial **bucket;	/* [1 << bits] */
	int bits;
	struct partial *oldest, *newest;
	__u32 memory;			/* what counts of them */
};

/* Begin without any. For so many bytes there are about as many buckets as packets, so chains are a step or two long; nobody outside
 * knows which packets share one. False without memory.
 */
bool partials_open(struct partials *all, __u32 memory);
/* The chain of those that share a hash with a packet. */
struct partial **partials_bucket(const struct partials *all, const struct iphdr *ip);
/* Where the one is that a fragment belongs to, or its chain's end. */
struct partial **partials_find(const struct partials *all, const struct iphdr *ip);
/* A new one, of which this is a fragment's header; NULL without memory. */
struct partial *partials_begin(struct partials *all, const struct iphdr *fragment);
/* Take it out; it is the caller's now. */
void partials_remove(struct partials *all, struct partial *partial);
/* Free all, with their headers. */
void partials_close(struct partials *all);

#endif
