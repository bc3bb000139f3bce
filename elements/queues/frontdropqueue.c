#include "queues/ring.inc.h"

ELEMENT(FrontDropQueue)
{
	struct SELF(queue) *q = private(queue);

	if (unlikely(SELF(length)(q) >= q->capacity) && SELF(length)(q))
		SELF(overflow)(q, SELF(take)(q));
	SELF(push_back)(q, p);
	return STOLEN;
}

CONTROL()
{
	return SELF(command)(op, argument, true);
}
