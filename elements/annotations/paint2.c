ELEMENT(Paint2)
{
	const struct SELF(vars) *vars = var(vars);

	pkt_set_anno_u16(p, cfg.anno, setting(vars, color));
	return OUTPUT(0);
}
