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
