ELEMENT(TimestampAccum)
{
	const __u64 time = pkt_timestamp(p);

	count(counters, count, pkt_packets(p));
	count(counters, time, (__s64)(wall_clock() - time) * pkt_packets(p));
	return OUTPUT(0);
}
