/* The script itself runs in Python; this file has its timer, on the router's clock, and the packets that wait for its answer. */

ELEMENT(Script)
{
	long port = call_python(SELF(PACKET) + input);

	return port >= 0 && port < SELF(noutputs) ? OUTPUT(port) : DROP(DISCARDED);
}

TIMER()
{
	call_python(SELF(TIMER));
}

#include "control/clock.inc.h"
