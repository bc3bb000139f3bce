#include "queues/ring.inc.h"

static void SELF(insert)(struct SELF(queue) *q, struct pkt *p)
{
	struct pkt *oldest = NULL;

	if (unlikely(SELF(length)(q) >= q->capacity) && SELF(length)(q))
		oldest = SELF(take_last)(q);
	if (unlikely(SELF(length)(q) >= q->capacity || !SELF(prepend)(q, p, SELF(length)(q))))
		SELF(overflow)(q, p);
	if (oldest)
		SELF(overflow)(q, oldest);
}

ELEMENT(MixedQueue)
{
	struct SELF(queue) *q = private(queue);

	if (input == 1)
		SELF(insert)(q, p);
	else
		SELF(push_back)(q, p);
	return STOLEN;
}

CONTROL()
{
	return SELF(command)(op, argument, false);
}
