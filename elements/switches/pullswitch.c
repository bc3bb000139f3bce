/* PullSwitch: pulls from one input, which handlers can change. */
PULL()
{
	return pull(private(selection)->input);	/* NULL where there is no such input */
}

#include "common/wake.inc.h"
