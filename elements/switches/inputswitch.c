ELEMENT(InputSwitch)
{
	const struct SELF(vars) *vars = var(vars);

	return vars && vars->input == input ? OUTPUT(0) : DROP(DISCARDED);
}
