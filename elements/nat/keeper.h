/* The runtime's table of rewriters' flows: making, finding and ending them. Runtime only.
 *
 * Only one thread at a time runs this code: elements that share flows, mappers or patterns (works_on() in Python) have a common
 * lock, if there are several threads. Rewriters take it themselves, and rewrite packets of known flows without it (rewriter.inc.h).
 * struct nat_flow, struct nat_spec, their kinds and orders, and NAT_RESTING are generated: natstructures.h (_structures.py).
 */
#pragma once

#include <stdint.h>
#include "nat/bindings.h"
#include "nat/heap.h"
#include "nat/sequence.h"

/* The most heap steps to make room for a packet's flow, and the most flows that the timer ends at once. */
#define NAT_STEPS 256
#define NAT_STEPS_ANY UINT32_MAX

/* A flow's timeout without packets, in ns, by its state (nat_flow.tracked); and its guarantee. */
struct nat_timeouts {
	__u64 (*stays)(__u8 tracked);
	__u64 guarantee;
	__u64 unanswered;	/* the lifetime of a NAT_UNANSWERED flow, whatever packets come */
};

/* The flows of rewriters that share a capacity. The rewriter that owns it has the part visible to Python. */
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
	__u32 *highest;				/* the highest number used so far */
	struct index index;

	__u32 numbers, inputs, outputs, element;
	struct nat_set *set;
	const struct nat_timeouts *(*timeouts)(__u8 protocol);
	/* The possible keys of a packet, or of a reply, in the order to try them. Returns their number. */
	int (*keys)(__u8 protocol, bool reply, const struct nat_key *packet, struct nat_key keys[2]);
	struct nat_provider **providers;	/* the router's (pattern.h) */
	struct nat_bindings *bindings;		/* or NULL if not needed */
	bool uses_ports, uses_destination;	/* in keys */
	bool tracks_sequence;
	bool pairs_ports;			/* ports hold one identifier (nat_pair) */
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

/* The key of replies. */
static inline struct nat_key nat_turned(const struct nat_key *key)
{
	return (struct nat_key){.saddr = key->daddr, .daddr = key->saddr, .sport = key->dport, .dport = key->sport,
				.space = key->space};
}

/* A request for a flow: packets with `key` become `rewritten` and leave by the first output, replies by the second; `input` counts
 * the flow. `unanswered` if a packet of direction 1 begins it.
 */
struct nat_birth {
	struct nat_key key, rewritten;
	__u32 input;
	__u16 output[2];
	__u8 protocol;
	bool unanswered;
};

/* Find a flow and direction by its key, as 2 * number + direction; 0 if there is none. */
__u32 nat_find(const struct nat_rewriter *r, const struct nat_key *key);

/* Make a flow. Returns its number, or 0 if there is no room, no memory or no such output, or its source has too many flows. Ends an
 * existing flow with the same replies and, if the set is full, others (expiry.h). `time` is now().
 */
__u32 nat_begin(struct nat_rewriter *r, const struct nat_birth *birth, __u64 time);
/* End a flow. */
void nat_end(struct nat_rewriter *r, struct nat_flow *flow);
/* Clear NAT_UNANSWERED after the host's first packet: the flow now counts for the host. False, with nothing changed, if the host
 * has reached its limit or there is no memory. `time` is now().
 */
bool nat_answer(struct nat_rewriter *r, struct nat_flow *flow, __u64 time);
/* Set a flow's state `tracked`, and update its expiry. */
void nat_track(struct nat_rewriter *r, struct nat_flow *flow, __u8 tracked);
/* End expired flows, and further ones until at most `keep` are left, in the order of expiry.h. False if `steps` are used up; the
 * next call continues from there.
 */
bool nat_shrink(struct nat_set *set, __u64 time, __u32 keep, __u32 steps);
/* End the flows made by an input. */
void nat_end_input(struct nat_rewriter *r, __u32 input);
/* Publish the set's size to Python, once the set's owner has set the address. */
void nat_show_size(struct nat_set *set);

/* Start with the flows in the shared memory. All fields except private ones must be set. 0, or -errno. */
int nat_open(struct nat_rewriter *r);
/* Take over the flows of an earlier router's rewriter, with numbers up to `highest`, as far as they fit, NAT_UNANSWERED ones last.
 * After that, the kernel path may again take a flow that it doesn't find for unknown.
 */
void nat_take_over(struct nat_rewriter *r, const struct nat_flow *from, __u32 highest);
/* Free private memory; the flows stay in the shared memory. */
void nat_close(struct nat_rewriter *r);
