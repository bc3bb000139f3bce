/* Let a source begin, or go on: by its task where packets are pushed, by whoever pulls elsewhere. Included once for each instance. */
static void SELF(go)(void)
{
	if (output_is_push(0))
		task_schedule();
	else
		wake_pullers();
}
