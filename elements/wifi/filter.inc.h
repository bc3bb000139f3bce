/* Packets with a flag, in the annotation WIFI_EXTRA or in front of the frame, leave by output 1, or are dropped. */
#include "wifi/extra.h"

static __always_inline int SELF(part)(struct pkt *p, __u32 flag)
{
	if (!wifi_extra_has(p, flag))
		return OUTPUT(0);
	count(counters, drops, 1);
	return SELF(noutputs) == 1 ? DROP(FILTERED) : OUTPUT(1);
}
