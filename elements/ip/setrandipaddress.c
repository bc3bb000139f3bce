ELEMENT(SetRandIPAddress)
{
	__u32 number = random_u32();

	if (cfg.limit > 0) {
		const struct SELF(chosen) *chosen = at(chosen, number % (__u32)cfg.limit);

		if (chosen)
			pkt_set_dst_ip(p, chosen->address);
	} else {
		pkt_set_dst_ip(p, (number & ~cfg.mask) | cfg.network);
	}
	return OUTPUT(0);
}
