ELEMENT(PaintTee)
{
	const struct SELF(vars) *vars = var(vars);

	if (pkt_anno_u8(p, cfg.anno) != setting(vars, color))
		return OUTPUT(0);
	if (!USERSPACE)
		return copies_made() ? COPIES(0) : PUNT;
	emit_copy(p, 1);
	return OUTPUT(0);
}
