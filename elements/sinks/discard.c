ELEMENT(Discard)
{
	count(counters, count, pkt_packets(p));
	return DROP(DISCARDED);
}

#if USERSPACE
#include <errno.h>

TASK()
{
	__u32 dropped = 0;
	struct pkt *p;

	if (!var(vars)->active)
		return false;
	while (dropped < cfg.burst && (p = pull(0))) {
		discard(p, DISCARDED);
		dropped++;
	}
	count(counters, count, dropped);
	if (dropped == cfg.burst)
		task_schedule();
	return dropped > 0;
}

/* Called at the start, and whenever ACTIVE may have become true. */
static int SELF(start)(void)
{
	if (!input_is_push(0))
		task_schedule();
	return 0;
}

INIT()
{
	if (!cfg.active && input_is_push(0)) {
		complain("ACTIVE is meaningless in push context");
		return -EINVAL;
	}
	return SELF(start)();
}

CONTROL()
{
	return SELF(start)();
}

#endif
