ELEMENT(TimestampAccum)
{
	struct SELF(counters) *counters = slot(counters);

	counters->count++;
	counters->time += (__s64)(wall_clock() - p->timestamp);
	return OUTPUT(0);
}
