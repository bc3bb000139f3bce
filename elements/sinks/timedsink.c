static void SELF(wait)(struct SELF(sink) *sink, __u64 from)
{
	sink->due = from + sink->interval;
	timer_at(sink->due);
}

INIT()
{
	SELF(wait)(private(sink), now());
	return 0;
}

TIMER()
{
	struct SELF(sink) *sink = private(sink);
	struct pkt *p = pull(0);

	if (p)
		discard(p, DISCARDED);
	SELF(wait)(sink, sink->due);
}
