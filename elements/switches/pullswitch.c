PULL()
{
	return pull(private(selection)->input);	/* NULL if there is no such input */
}

#include "common/wake.inc.h"
