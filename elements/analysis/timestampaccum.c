/* The sum of nanoseconds would overflow after five packets without a timestamp, so its halves are added up apart. */
ELEMENT(TimestampAccum)
{
	const __s64 age = wall_clock() - pkt_timestamp(p);

	count(counters, count, pkt_packets(p));
	count(counters, high, (age >> 32) * pkt_packets(p));
	count(counters, low, (__u64)(__u32)age * pkt_packets(p));
	return OUTPUT(0);
}
