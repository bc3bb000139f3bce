#include "classification/regions.h"

#if USERSPACE
#include <limits.h>
#include "classification/regions6.h"

/* Whether the step's test holds. Bytes outside its mask are not read. */
static bool SELF(holds)(struct pkt *p, const struct SELF(steps) *step)
{
	const __u8 *(*const regions[])(struct pkt *, __u32) = {
		ether_region, ip_region, transp_region, ip4_region, transp4_region, ip6_region, frag6_region, last6_region, upper6_region,
	};
	const __u8 *bytes = regions[step->region](p, step->needs);
	__u32 word = 0;

	if (!bytes)
		return step->otherwise;
	for (int i = 0; i < 4; i++)
		if (step->mask >> (24 - 8 * i) & 0xff)
			word |= (__u32)bytes[step->offset + i] << (24 - 8 * i);
	return (word & step->mask) == step->value;
}

/* Run the program for changed patterns. Steps only lead to later ones, so it ends. */
static int SELF(follow)(struct pkt *p, __s32 next)
{
	while (next >= 0) {
		const struct SELF(steps) *step = at(steps, next);

		if (!step)
			return DROP(FILTERED);
		next = SELF(holds)(p, step) ? step->yes : step->no;
	}
	return next == INT_MIN ? DROP(FILTERED) : OUTPUT(~next);
}
#else
static __always_inline int SELF(follow)(struct pkt *p, __s32 next)
{
	return PUNT;
}
#endif

#if !USERSPACE
/* Only the runtime has the program for changed patterns. */
GIVES_UP()
{
	return !pkt_is_configured(p) && var(vars)->changed;
}
#endif

/* SELF(match) is compiled from the configuration's patterns. */
ELEMENT(IPClassifier)
{
	const struct SELF(vars) *vars = var(vars);

	if (unlikely(!pkt_is_configured(p) && vars->changed))
		return SELF(follow)(p, vars->start);
	return SELF(match)(p);
}
