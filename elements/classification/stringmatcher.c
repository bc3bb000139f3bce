enum { SELF(ENOUGH) = 0xffff };		/* any text */
#include "classification/automaton.inc.h"

#if !USERSPACE
GIVES_UP()
{
	return SELF(is_beyond)(p);
}
#endif

ELEMENT(StringMatcher)
{
	if (SELF(is_beyond)(p))
		return PUNT;
	if (!SELF(search)(p))
		return OUTPUT(0);
	count(counters, matches, 1);
	return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(FILTERED);
}
