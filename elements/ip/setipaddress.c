ELEMENT(SetIPAddress)
{
	const struct SELF(vars) *vars = var(vars);

	if (vars)
		pkt_set_anno_u32(p, cfg.anno, vars->addr);
	return OUTPUT(0);
}
