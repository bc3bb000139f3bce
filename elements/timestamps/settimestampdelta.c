#include "timestamps/timestamps.h"

enum { SELF(RANGE), SELF(NOW), SELF(FIRST) };

ELEMENT(SetTimestampDelta)
{
	struct SELF(vars) *vars = var(vars);

	if (!p->timestamp)
		return OUTPUT(0);
	switch (cfg.type) {
	case SELF(RANGE):
		if (!vars->first)
			vars->first = p->timestamp;
		p->timestamp -= vars->first;
		break;
	case SELF(NOW):
		p->timestamp = wall_clock() - p->timestamp;
		break;
	case SELF(FIRST):
		p->timestamp -= *pkt_first_timestamp(p);
	}
	return OUTPUT(0);
}
