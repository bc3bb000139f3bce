ELEMENT(PushAnno)
{
	__u8 *to;

	if (!pkt_push(p, ANNO_SIZE))
		return PUNT;
	to = pkt_data(p, 0, ANNO_SIZE);
	if (!to)
		return DROP(NO_HEADROOM);
	for (int i = 0; i < ANNO_SIZE; i += 8)
		word64(to + i) = word64(p->anno + i);
	return OUTPUT(0);
}
