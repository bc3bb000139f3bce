ELEMENT(Hop)
{
	__u8 *first = pkt_data(p, 0, 1);

	if (!first || !*first)
		return OUTPUT(0);
	--*first;
	return OUTPUT(1);
}
