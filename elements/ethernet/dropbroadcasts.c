ELEMENT(DropBroadcasts)
{
	if (!pkt_is_to_group(p))
		return OUTPUT(0);
	count(counters, drops, pkt_packets(p));
	return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(FILTERED);
}
