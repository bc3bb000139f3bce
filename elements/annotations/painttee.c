ELEMENT(PaintTee)
{
	const struct SELF(vars) *vars = var(vars);
	struct pkt *copy;

	if (!vars || pkt_anno_u8(p, cfg.anno) != vars->color)
		return OUTPUT(0);
	if (!USERSPACE)
		return copies_made() ? COPIES(0) : PUNT;
	copy = pkt_clone(p);
	if (copy)
		emit(copy, 1);
	return OUTPUT(0);
}
