#define FWD_RATE_ANNO 20

ELEMENT(Block)
{
	const struct SELF(vars) *vars = var(vars);

	return !vars->thresh || (__s32)pkt_anno_u32(p, FWD_RATE_ANNO) <= vars->thresh ? OUTPUT(0) : OUTPUT(1);
}
