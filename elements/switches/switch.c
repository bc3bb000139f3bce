ELEMENT(Switch)
{
	const struct SELF(vars) *vars = var(vars);

	return vars->output >= 0 ? OUTPUT(vars->output) : DROP(DISCARDED);
}
