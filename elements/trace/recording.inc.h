/* Record packets by SELF(write)(p), defined before this, and pass them on if there is an output. Included once for each instance. */

static int SELF(record)(struct pkt *p)
{
	SELF(write)(p);
	if (output_is_connected(0))
		return OUTPUT(0);
	pkt_free(p);
	return STOLEN;
}

TASK()
{
	struct pkt *p = pull(0);

	if (!p)
		return false;
	if (SELF(record)(p) != STOLEN)
		emit(p, 0);
	task_schedule();
	return true;
}
