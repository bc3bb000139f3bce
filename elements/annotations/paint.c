ELEMENT(Paint)
{
	const struct SELF(vars) *vars = var(vars);

	if (vars)
		pkt_set_anno_u8(p, cfg.anno, vars->color);
	return OUTPUT(0);
}
