TASK()
{
	struct SELF(vars) *vars = private(vars);

	if (!vars->scheduled)
		return false;
	vars->scheduled = false;
	vars->count++;
	call_python(0);	/* the handler may schedule this task */
	if (vars->reschedule) {
		vars->scheduled = true;
		task_schedule();
	}
	return true;
}

INIT()
{
	if (private(vars)->scheduled)
		task_schedule();
	return 0;
}

CONTROL()
{
	if (private(vars)->scheduled)
		task_schedule();
	return 0;
}
