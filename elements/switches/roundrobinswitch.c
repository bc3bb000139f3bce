ELEMENT(RoundRobinSwitch)
{
	struct SELF(vars) *vars = var(vars);
	__u32 turn;

	turn = read_once(vars->next);
	write_once(vars->next, turn + 1 < read_once(vars->most) ? turn + 1 : 0);
	return OUTPUT(turn);
}
