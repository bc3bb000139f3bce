/* The timer of the bar, on the router's clock. Python draws the bar. */

TIMER()
{
	call_python(0);
}

#include "control/clock.inc.h"
