TASK()
{
	struct SELF(unqueue) *u = private(unqueue);
	__u32 worked = 0;

	while (worked < u->burst && u->active && (u->limit < 0 || u->count < (__u64)u->limit)) {
		struct pkt *p = pull(0);

		if (!p)
			return worked > 0;	/* woken when there are packets again */
		worked++;
		u->count++;
		emit(p, 0);
	}
	if (worked)
		task_schedule();
	return worked > 0;
}
