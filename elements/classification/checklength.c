#if !USERSPACE
/* If the segments of a GSO packet are too long, the last one may still fit. */
GIVES_UP()
{
	const struct SELF(vars) *vars = var(vars);

	return pkt_packets(p) > 1 && pkt_longest(p) > setting(vars, length);
}
#endif

ELEMENT(CheckLength)
{
	const struct SELF(vars) *vars = var(vars);

#if !USERSPACE
	if (SELF(gives_up)(p, input))
		return PUNT;
#endif
	if (pkt_longest(p) <= setting(vars, length))
		return OUTPUT(0);
	return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(FILTERED);
}
