/* The rewriters' flows as the runtime keeps them: making, finding and ending them. Runtime only.
 *
 * One thread at a time is here: elements that share flows, mappers or patterns (works_on() in Python) have one lock, which the
 * emitter takes for them where there are several threads. struct nat_flow, struct nat_spec, their kinds and orders, and NAT_RESTING
 * are generated: natstructures.h (_structures.py).
 */
#pragma once

#include <stdint.h>
#include "nat/bindings.h"
#include "nat/heap.h"
#include "nat/sequence.h"

/* The most steps in the heaps to find a flow that makes room for a packet's, and the most flows that the timer ends at once. */
#define NAT_STEPS 256
#define NAT_STEPS_ANY UINT32_MAX

/* How long a flow without packets stays, in ns, by what is known of it (nat_flow.tracked); and for how long that is certain. */
struct nat_timeouts {
	__u64 (*stays)(__u8 tracked);
	__u64 guarantee;
	__u64 unanswered;	/* how long it stays, whatever packets come, as long as it is NAT_UNANSWERED */
};

/* Flows of rewriters with one capacity. What Python sees of it is with the rewriter whose capacity it is. */
struct nat_set {
	struct nat_heap unanswered, best_effort, guaranteed;	/* expiry.h */
	const struct nat_flow *kept;		/* a flow that must not make room now, or NULL */
	__u32 *capacity, *size;
};

static inline __u32 nat_size(const struct nat_set *set)
{
	return set->unanswered.count + set->best_effort.count + set->guaranteed.count;
}

struct nat_rewriter {
	/* Shared memory. */
	struct nat_flow *flow;			/* [numbers + 1]; number 0 is never used */
	struct nat_spec *input;
	const __u64 *secret;			/* the hash's key */
	__u32 *highest;				/* the highest number that was ever used */
	struct index index;

	__u32 numbers, inputs, outputs, element;
	struct nat_set *set;
	const struct nat_timeouts *(*timeouts)(__u8 protocol);
	/* The keys that a packet may have here, in the order to look for them; `reply` if it answers. Returns how many. */
	int (*keys)(__u8 protocol, bool reply, const struct nat_key *packet, struct nat_key keys[2]);
	struct nat_provider **providers;	/* the router's (pattern.h) */
	struct nat_bindings *bindings;		/* or NULL: nobody asks for them */
	bool uses_ports, uses_destination;	/* in keys */
	bool tracks_sequence;
	bool pairs_ports;			/* they are one identifier (nat_pair) */
	struct nat_changes **changes;		/* [numbers + 1], or NULL */

	/* Free numbers, chained by `place`, the longest unused first. */
	__u32 resting_first, resting_last, resting;
};

static inline struct nat_key nat_flow_key(const struct nat_flow *flow, int direction)
{
	return (struct nat_key){.saddr = flow->saddr[direction], .daddr = flow->daddr[direction],
				.sport = flow->sport[direction], .dport = flow->dport[direction], .space = flow->space};
}

static inline bool nat_same(const struct nat_key *one, const struct nat_key *other)
{
	return one->saddr == other->saddr && one->daddr == other->daddr && one->sport == other->sport &&
	       one->dport == other->dport && one->space == other->space;
}

/* The key of the packets that answer. */
static inline struct nat_key nat_turned(const struct nat_key *key)
{
	return (struct nat_key){.saddr = key->daddr, .daddr = key->saddr, .sport = key->dport, .dport = key->sport,
				.space = key->space};
}

/* A flow that is to begin: packets with `key` become `rewritten`, for input `input` to count, and leave by the first output; those of
 * direction 1 leave by the second. `unanswered` if one of the latter begins it.
 */
struct nat_birth {
	struct nat_key key, rewritten;
	__u32 input;
	__u16 output[2];
	__u8 protocol;
	bool unanswered;
};

/* The flow with that key and its direction, as 2 * number + direction; 0 if there is none. */
__u32 nat_find(const struct nat_rewriter *r, const struct nat_key *key);

/* Make a flow. Its number, or 0 if it has no place, no memory, or no such output, or its source has too many. A flow whose replies would be
 * taken for this one's ends; where the set is full, so do others (expiry.h). `time` is now().
 */
__u32 nat_begin(struct nat_rewriter *r, const struct nat_birth *birth, __u64 time);
/* End a flow. */
void nat_end(struct nat_rewriter *r, struct nat_flow *flow);
/* The host has sent a packet of a flow that others have begun (NAT_UNANSWERED): it is the host's now. False, and nothing is changed, if the
 * host has as many as it may have, or there is no memory. `time` is now().
 */
bool nat_answer(struct nat_rewriter *r, struct nat_flow *flow, __u64 time);
/* What is known of a flow, `tracked`, has changed, so perhaps when it expires. */
void nat_track(struct nat_rewriter *r, struct nat_flow *flow, __u8 tracked);
/* End flows: all whose time is up, and the next until no more than `keep` are left, in the order of expiry.h. False if that takes
 * more than that many steps; the next call continues from there.
 */
bool nat_shrink(struct nat_set *set, __u64 time, __u32 keep, __u32 steps);
/* End the flows that an input has made. */
void nat_end_input(struct nat_rewriter *r, __u32 input);
/* Write the set's size to where Python reads it, once the set's rewriter has set that address. */
void nat_show_size(struct nat_set *set);

/* Start with the flows in the shared memory. All fields but those in private memory must be set. 0, or -errno. */
int nat_open(struct nat_rewriter *r);
/* The flows of an earlier router's rewriter become this one's, as far as they fit, those that are NAT_UNANSWERED last; numbers up to
 * `highest` are in use there. Then the kernel path may believe again that what it doesn't find isn't there.
 */
void nat_take_over(struct nat_rewriter *r, const struct nat_flow *from, __u32 highest);
/* Free what nat_open() and the flows since then have allocated; the flows stay in the shared memory. */
void nat_close(struct nat_rewriter *r);
