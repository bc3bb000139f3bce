/* The bar is drawn in Python; here is its clock, which is the router's. */

TIMER()
{
	call_python(0);
}

#include "control/clock.inc.h"
