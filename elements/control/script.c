/* The script itself runs in Python; here are its clock, which is the router's, and the packets that wait for its answer. */

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
