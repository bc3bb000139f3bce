/* A packet at or after the end waits while the handler of END_CALL runs, and so do all behind it. In a pull context those
 * that may pass are kept until they are pulled.
 */
enum { SELF(PASS), SELF(OTHER), SELF(WAIT) };

static void SELF(first_packet)(struct SELF(filter) *f, __s64 time)
{
	if (cfg.first_is_relative)
		f->first += time;
	if (cfg.last_is_relative)
		f->last += time;
	else if (cfg.last_is_interval)
		f->last += f->first;
	f->ready = true;
}

static int SELF(judge)(struct SELF(filter) *f, __s64 time)
{
	if (!f->ready)
		SELF(first_packet)(f, time);
	if (time < f->first)
		return SELF(OTHER);
	if (time < f->last)
		return SELF(PASS);
	if (!f->armed)
		return SELF(OTHER);
	if (!cfg.stop)
		return SELF(WAIT);
	f->armed = false;
	driver_stop();
	return SELF(OTHER);
}

static void SELF(append)(void **first, void **last, struct pkt *p)
{
	p->next = NULL;
	if (*first)
		((struct pkt *)*last)->next = p;
	else
		*first = p;
	*last = p;
}

static struct pkt *SELF(take)(void **first)
{
	struct pkt *p = *first;

	if (p)
		*first = p->next;
	return p;
}

/* The output of a packet, or WAIT: then it waits. */
static int SELF(meet)(struct SELF(filter) *f, struct pkt *p)
{
	int result = f->calling ? SELF(WAIT) : SELF(judge)(f, p->timestamp);

	if (result != SELF(WAIT))
		return result;
	SELF(append)(&f->waiting, &f->waiting_end, p);
	if (!f->calling) {
		f->calling = true;
		f->called_at = p->timestamp;
		call_python(0);
	}
	return result;
}

ELEMENT(TimeFilter)
{
	int result = SELF(meet)(private(filter), p);

	return result == SELF(WAIT) ? STOLEN : OUTPUT(result);
}

PULL()
{
	struct SELF(filter) *f = private(filter);
	struct pkt *p;

	(void)output;
	for (int i = 0; i < PULLS_IN_VAIN; i++) {
		p = SELF(take)(&f->passed);
		if (p)
			return p;
		p = f->calling ? NULL : pull(0);
		if (!p)
			return NULL;
		switch (SELF(meet)(f, p)) {
		case SELF(PASS):
			return p;
		case SELF(OTHER):
			emit(p, 1);
		}
	}
	wake_pullers();
	return NULL;
}

static void SELF(let_go)(struct SELF(filter) *f, struct pkt *p, int result)
{
	if (result == SELF(OTHER) || output_is_push(0))
		emit(p, result);
	else
		SELF(append)(&f->passed, &f->passed_end, p);
}

/* The handler was called, and perhaps has moved the end. */
CONTROL()
{
	struct SELF(filter) *f = private(filter);
	struct pkt *p = SELF(take)(&f->waiting), *rest = f->waiting, *next;

	(void)op;
	(void)argument;
	f->calling = false;
	f->waiting = NULL;
	if (p)
		SELF(let_go)(f, p, (__s64)p->timestamp < f->last ? SELF(PASS) : SELF(OTHER));
	for (; rest; rest = next) {
		int result;

		next = rest->next;
		result = SELF(meet)(f, rest);
		if (result != SELF(WAIT))
			SELF(let_go)(f, rest, result);
	}
	if (!output_is_push(0))
		wake_pullers();
	return 0;
}

CLEANUP()
{
	struct SELF(filter) *f = private(filter);
	struct pkt *p;

	while ((p = SELF(take)(&f->waiting)) || (p = SELF(take)(&f->passed)))
		pkt_free(p);
}
