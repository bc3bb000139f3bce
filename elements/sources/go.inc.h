/* Start or restart a source: schedule the task of a push source, wake the pullers of a pull source. Included once for each
 * instance.
 */
static void SELF(go)(void)
{
	if (output_is_push(0))
		task_schedule();
	else
		wake_pullers();
}
