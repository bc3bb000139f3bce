ELEMENT(ReadAnno)
{
	const __u8 *from = pkt_data(p, 0, ANNO_SIZE);

	if (!from)
		return DROP(MALFORMED);
	for (int i = 0; i < ANNO_SIZE; i += 8)
		word64(p->anno + i) = word64(from + i);
	return OUTPUT(0);
}
