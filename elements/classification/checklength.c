ELEMENT(CheckLength)
{
	const struct SELF(vars) *vars = var(vars);

	if (!vars || pkt_len(p) <= vars->length)
		return OUTPUT(0);
	return cfg.noutputs == 2 ? OUTPUT(1) : DROP(FILTERED);
}
