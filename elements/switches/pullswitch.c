PULL()
{
	return pull(private(selection)->input);	/* NULL where there is no such input */
}

#include "common/wake.inc.h"
