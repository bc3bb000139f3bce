ELEMENT(PushAnno)
{
	__u8 *to = pkt_prepend(p, ANNO_SIZE);

	if (!to)
		return PUNT;
	for (int i = 0; i < ANNO_SIZE; i += 8)
		word64(to + i) = word64(p->anno + i);
	return OUTPUT(0);
}
