/* The bar is drawn in Python; this file has its timer, on the router's clock. */

TIMER()
{
	call_python(0);
}

#include "control/clock.inc.h"
