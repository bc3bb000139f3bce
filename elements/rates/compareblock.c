#define FWD_RATE_ANNO 20
#define REV_RATE_ANNO 24

/* A rate of 0 counts as 1. */
static __always_inline __s64 SELF(rate)(__u32 annotation)
{
	return (__s32)annotation < 1 ? 1 : annotation;
}

ELEMENT(CompareBlock)
{
	const struct SELF(vars) *vars = var(vars);
	__s64 forward = SELF(rate)(pkt_anno_u32(p, FWD_RATE_ANNO)), reverse = SELF(rate)(pkt_anno_u32(p, REV_RATE_ANNO));

	if (forward <= vars->thresh && reverse <= vars->thresh)
		return OUTPUT(0);
	return vars->fwd_weight * forward > vars->rev_weight * reverse ? OUTPUT(1) : OUTPUT(0);
}
