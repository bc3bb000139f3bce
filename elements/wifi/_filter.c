ELEMENT(WifiFilter)
{
	if (!wifi_extra_has(p, SELF(flag)))
		return OUTPUT(0);
	count(counters, drops, 1);
	return SELF(noutputs) == 1 ? DROP(FILTERED) : OUTPUT(1);
}
