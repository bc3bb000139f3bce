#include "rates/pace.inc.h"

PULL()
{
	struct SELF(pace) *pace = private(pace);
	bool behind = SELF(behind)(pace, now());
	struct pkt *p;

	if (output == 1)
		return behind ? NULL : pull(0);
	if (!behind) {
		SELF(wait)(pace);
		return NULL;
	}
	p = pull(0);
	if (p) {
		pace->count++;
		if (output_is_connected(1))
			wake_pullers();	/* output 1 may pull now */
	}
	return p;
}
