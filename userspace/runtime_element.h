/* What elements may ask of the runtime as a whole, and what the emitted functions do for them. */
#ifndef CLICKBPF_RUNTIME_ELEMENT_H
#define CLICKBPF_RUNTIME_ELEMENT_H

#include "pkt.h"

/* Threads that the router has: their slots follow one another. */
EXPORT __u32 thread_count(void);
/* Two words for siphash13(), the same as long as the runtime lives. */
EXPORT const __u64 *hash_key(void);
/* The key of a table in shared state: an earlier runtime's, by which it has entered what is there. */
static inline void hash_key_keep(__u64 key[2])
{
	if (key[0] | key[1])
		return;
	key[0] = hash_key()[0];
	key[1] = hash_key()[1];
}

/* Ask for the end of the run, as Click's LIMIT with STOP does: the threads pause and the host decides. */
EXPORT void driver_stop(void);
/* Say in words why INIT or CONTROL fails. */
EXPORT void complain(const char *text);
/* Ask the element's Python side: its method `called(value)` runs now, and what it returns is the answer (0 for None). Any
 * handler may be called meanwhile, this element's too.
 */
EXPORT long host_call(__u32 element, __u32 value);

/* Drop a packet for an action's negative result, a DROP(reason); PUNT means that no memory was left for a header. */
EXPORT void pkt_refuse(struct pkt *p, __u32 element, int result);

/* A pull through an element that drops what it gets tries again so often before its caller is let go (and woken). */
#define PULLS_IN_VAIN 64

/* Send a packet round a cycle of the graph: it goes on from the end of the list, not deeper in the stack. */
static inline void pkt_defer(struct pkt *p, __u32 element, int port)
{
	struct pkt_list *list = &current->deferred;

	p->element = element;
	p->port = port;
	p->next = NULL;
	*list->end = p;
	list->end = &p->next;
	list->length++;
}

#endif
