#include "queues/ring.inc.h"

ELEMENT(FrontDropQueue)
{
	struct SELF(queue) *q = private(queue);

	if (unlikely(q->length >= q->capacity) && q->length)
		SELF(overflow)(q, SELF(take)(q));
	if (unlikely(q->length >= q->capacity || !SELF(append)(q, p)))
		SELF(overflow)(q, p);
	return STOLEN;
}

CONTROL()
{
	return SELF(command)(op, argument, true);
}
