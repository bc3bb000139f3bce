/* CPUQueue: a queue of a fixed size for each thread. */
#include "threads/rings.inc.h"

ELEMENT(CPUQueue)
{
	struct SELF(rings) *ring = SELF(ring)(this_thread());

	if (!SELF(put)(ring, p)) {
		ring->drops++;
		return DROP(FULL);
	}
	if (SELF(waiting)(ring) == 1)
		wake_pullers();
	return STOLEN;
}

PULL()
{
	struct SELF(turn) *turn = private(turn);
	struct pkt *p = NULL;

	for (__u32 i = 0; !p && i < thread_count(); i++) {
		p = SELF(take)(SELF(ring)(turn->next));
		turn->next = (turn->next + 1) % thread_count();
	}
	return p;
}

CLEANUP()
{
	SELF(free_rings)();
}
