ELEMENT(Paint)
{
	const struct SELF(vars) *vars = var(vars);

	pkt_set_anno_u8(p, cfg.anno, setting(vars, color));
	pkt_note_setting(p, cfg.anno, &vars->color, cfg.color);
	return OUTPUT(0);
}
