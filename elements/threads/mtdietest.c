/* MTDieTest: asks for the end of the run on every thread at once. */
TASK()
{
	driver_stop();
	return false;
}

INIT()
{
	task_schedule_all();
	return 0;
}
