ELEMENT(SetAnnoByte)
{
	const struct SELF(vars) *vars = var(vars);

	if (vars)
		pkt_set_anno_u8(p, cfg.anno, vars->value);
	return OUTPUT(0);
}
