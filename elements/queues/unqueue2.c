#define POLL 1000000	/* ns between checks for room in the named storages, which needn't be downstream and so may not wake this element */

TASK()
{
	struct SELF(passed) *passed = private(passed);
	__u32 room = watched_room(), most = cfg.burst && cfg.burst < room ? cfg.burst : room, worked = 0;
	struct pkt *p = NULL;

	while (worked < most && (p = pull(0))) {
		worked++;
		passed->count++;
		emit(p, 0);
	}
	if (most && !p)
		return worked > 0;	/* woken when there are packets again */
	if (worked)
		task_schedule();
	else if (cfg.named)
		timer_after(POLL);	/* else woken when there is room */
	return worked > 0;
}
