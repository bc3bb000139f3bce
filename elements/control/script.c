/* The script runs in Python. This file has its timer, on the router's clock, and passes it packets. */

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
