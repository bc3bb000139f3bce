/* Rejecting a packet with a bad header (see _headercheck.py). No include guard: the text is compiled for each instance. */
#include "ip/ip.h"

/* `drop` is the reason if output 1 isn't connected. */
static __always_inline int SELF(reject)(struct pkt *p, int mistake, int drop)
{
	if (!USERSPACE && cfg.verbose)
		return PUNT;
	warn(cfg.verbose ? ALWAYS : 1, "%s%s header check failed: %s", SELF(title), SELF(subject), SELF(reasons)[mistake]);
	count(counters, bad[mistake], 1);
	return SELF(noutputs) == 2 ? OUTPUT(1) : drop;
}
