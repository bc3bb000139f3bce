ELEMENT(AggregateFilter)
{
	int output = SELF(match)(pkt_anno_u32(p, AGGREGATE_ANNO));

	if (output < 0)
		return DROP(FILTERED);
	return OUTPUT(output);
}
