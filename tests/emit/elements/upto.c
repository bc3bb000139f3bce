ELEMENT(UpTo)
{
	const struct SELF(vars) *vars = var(vars);

	return OUTPUT(pkt_len(p) > setting(vars, length));
}
