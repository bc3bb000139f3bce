ELEMENT(Punts)
{
	__u8 *ttl = pkt_data(p, 22, 1);

	if (!ttl || *ttl != 7 || USERSPACE)
		return OUTPUT(0);
	if (cfg.what == 1)
		*ttl = 8;
	if (cfg.what == 2)
		count(counters, count, 1);
	if (cfg.what == 3)
		pkt_pull(p, 2);
	if (cfg.what == 4)
		pkt_set_anno_u8(p, PAINT_ANNO, 9);
	return PUNT;
}
