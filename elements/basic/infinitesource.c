static inline struct pkt *SELF(make)(struct SELF(source) *s)
{
	struct pkt *p = pkt_copy_in(s->data, s->length);

	if (!p)
		return NULL;
	if (cfg.timestamp)
		p->timestamp = wall_clock();
	s->count++;
	return p;
}

static inline bool SELF(finished)(const struct SELF(source) *s)
{
	return s->limit >= 0 && s->count >= (__u64)s->limit;
}

/* Once, until a handler sets it going again, however often it is woken. */
static void SELF(end)(struct SELF(source) *s)
{
	if (s->ending)
		return;
	s->ending = true;
	if (cfg.stop)
		driver_stop();
	else if (cfg.calls)
		call_python(0);
}

/* The end is told in a run of its own, when the last packets are through. */
TASK()
{
	struct SELF(source) *s = private(source);
	__u32 made = 0;

	if (!s->active || downstream_full())
		return false;
	if (SELF(finished)(s)) {
		SELF(end)(s);
		return false;
	}
	for (; made < s->burst && !SELF(finished)(s); made++) {
		struct pkt *p = SELF(make)(s);

		if (!p)
			break;
		emit(p, 0);
	}
	task_schedule();
	return made > 0;
}

PULL()
{
	struct SELF(source) *s = private(source);

	(void)output;
	if (!s->active)
		return NULL;
	if (!SELF(finished)(s))
		return SELF(make)(s);
	SELF(end)(s);
	return NULL;
}

static void SELF(go)(void)
{
	private(source)->ending = false;
	if (output_is_push(0))
		task_schedule();
	else
		wake_pullers();
}

INIT()
{
	SELF(go)();
	return 0;
}

CONTROL()
{
	(void)op;
	(void)argument;
	SELF(go)();
	return 0;
}
