enum { SELF(ENOUGH) = 1 };		/* the first text takes precedence over all others */
#include "classification/automaton.inc.h"

#if !USERSPACE
GIVES_UP()
{
	return SELF(is_beyond)(p);
}
#endif

ELEMENT(StringClassifier)
{
	__u32 found;

	if (SELF(is_beyond)(p))
		return PUNT;
	found = SELF(search)(p);
	if (found) {
		count(counters, matches, 1);
		return OUTPUT(found - 1);
	}
	return SELF(noutputs) > cfg.texts ? OUTPUT(cfg.texts) : DROP(FILTERED);
}
