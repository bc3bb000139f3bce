/* Services of the runtime for elements, and for the emitted functions. */
#pragma once

#include "pkt.h"

/* The number of threads; their slots are consecutive. */
EXPORT __u32 thread_count(void);
/* The key for siphash13(), two words, constant as long as the runtime lives. */
EXPORT const __u64 *hash_key(void);
/* The key of a table in shared state: keep the one of an earlier runtime, which has filled the table. */
static inline void hash_key_keep(__u64 key[2])
{
	if (key[0] | key[1])
		return;
	key[0] = hash_key()[0];
	key[1] = hash_key()[1];
}

/* End the run, as Click's STOP true does: the threads pause, and the host decides. */
EXPORT void driver_stop(void);
/* Set the message that explains why INIT or CONTROL fails. */
EXPORT void complain(const char *text);
/* Call `called(value)` of the element's Python side; returns its result (0 for None). Any handler may be called meanwhile,
 * including this element's.
 */
EXPORT long host_call(__u32 element, __u32 value);

/* Drop a packet for an action's negative result, a DROP(reason). In user space, PUNT means that there was no memory for a header. */
EXPORT void pkt_refuse(struct pkt *p, __u32 element, int result);

/* Enter a call that closes a cycle of the graph. As in Click, the packet is pushed by a nested call, before its sender sends
 * anything else. Stack and time are bounded, though: false if the packet must be deferred instead.
 */
static inline bool round_begin(void)
{
	struct rounds *rounds = &current->rounds;
	const char *here = __builtin_frame_address(0);

	if (!rounds->depth) {
		rounds->outermost = here;
		rounds->begun = 0;
	}
	if (rounds->begun >= ROUNDS_AT_ONCE || rounds->outermost - here > ROUNDS_STACK)
		return false;
	rounds->begun++;
	rounds->depth++;
	return true;
}

static inline void round_end(void)
{
	current->rounds.depth--;
}

/* Defer a packet on a cycle of the graph: append it to a list instead of deepening the stack. */
static inline void pkt_defer(struct pkt *p, __u32 element, int port)
{
	p->element = element;
	p->port = port;
	pkt_list_add(&current->deferred, p);
}
