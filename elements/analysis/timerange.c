ELEMENT(TimeRange)
{
	struct SELF(vars) *range = var(vars);
	__s64 time = p->timestamp;

	if (!range->first)
		range->first = range->last = time;
	else if (cfg.simple || range->last < time)
		range->last = time;
	else if (time < range->first)
		range->first = time;
	return OUTPUT(0);
}
