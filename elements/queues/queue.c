#include "queues/ring.inc.h"

ELEMENT(Queue)
{
	struct SELF(queue) *q = private(queue);

	if (unlikely(q->length >= q->capacity || !SELF(append)(q, p)))
		SELF(overflow)(q, p);
	return STOLEN;
}

CONTROL()
{
	return SELF(command)(op, argument, false);
}
