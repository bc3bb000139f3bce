#include "queues/ring.inc.h"

static void SELF(insert)(struct SELF(queue) *q, struct pkt *p)
{
	struct pkt *oldest = NULL;

	if (unlikely(q->length >= q->capacity) && q->length)
		oldest = SELF(take_last)(q);
	if (unlikely(q->length >= q->capacity || !SELF(prepend)(q, p)))
		SELF(overflow)(q, p);
	if (oldest)
		SELF(overflow)(q, oldest);
}

ELEMENT(MixedQueue)
{
	struct SELF(queue) *q = private(queue);

	if (input == 1)
		SELF(insert)(q, p);
	else if (unlikely(q->length >= q->capacity || !SELF(append)(q, p)))
		SELF(overflow)(q, p);
	return STOLEN;
}

CONTROL()
{
	return SELF(command)(op, argument, false);
}
