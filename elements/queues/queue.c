#include "queues/ring.inc.h"

ELEMENT(Queue)
{
	SELF(push_back)(private(queue), p);
	return STOLEN;
}

CONTROL()
{
	return SELF(command)(op, argument, false);
}
