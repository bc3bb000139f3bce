ELEMENT(Stretch)
{
	__u32 before = pkt_len(p);

	if (!pkt_push(p, cfg.front))
		return PUNT;
	if (!pkt_put(p, cfg.back))
		return PUNT;
	__builtin_memset(pkt_data(p, 0, cfg.front), 'f', cfg.front);
	__builtin_memset(pkt_data(p, cfg.front + before, cfg.back), 'b', cfg.back);
	return OUTPUT(0);
}
