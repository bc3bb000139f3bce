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

/* Act on a packet at or after the end. END_CALL's handler may move the end, perhaps in several calls. */
static void SELF(meet_end)(struct SELF(filter) *f, __s64 time)
{
	__s64 last;

	if (cfg.stop) {
		f->armed = false;
		driver_stop();
		return;
	}
	do {
		last = f->last;
		f->armed = false;
		f->called_at = time;
		call_python(0);
	} while (time >= f->last && f->armed && f->last > last);
}

ELEMENT(TimeFilter)
{
	struct SELF(filter) *f = private(filter);
	__s64 time = p->timestamp;

	if (!f->ready)
		SELF(first_packet)(f, time);
	if (time < f->first)
		return OUTPUT(1);
	if (time >= f->last && f->armed)
		SELF(meet_end)(f, time);
	return OUTPUT(time < f->last ? 0 : 1);
}
