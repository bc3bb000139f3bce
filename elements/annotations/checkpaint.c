ELEMENT(CheckPaint)
{
	const struct SELF(vars) *vars = var(vars);

	if (vars && pkt_anno_u8(p, cfg.anno) == vars->color)
		return OUTPUT(0);
	return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(FILTERED);
}
