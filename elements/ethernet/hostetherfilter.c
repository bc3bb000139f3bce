static __always_inline bool SELF(equal)(const __u8 *one, const __u8 *other)
{
	return word32(one) == word32(other) && word16(one + 4) == word16(other + 4);
}

static __always_inline int SELF(filter)(void)
{
	return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(FILTERED);
}

ELEMENT(HostEtherFilter)
{
	static const __u8 everyone[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	const struct SELF(vars) *vars = var(vars);
	const struct ethhdr *eth = pkt_data(p, cfg.offset, sizeof(*eth));

	if (!eth)
		return DROP(MALFORMED);
	if (cfg.drop_own && SELF(equal)(eth->h_source, vars->ether))
		return SELF(filter)();
	if (SELF(equal)(eth->h_dest, vars->ether)) {
		pkt_set_type(p, PACKET_HOST);
	} else if (SELF(equal)(eth->h_dest, everyone)) {
		pkt_set_type(p, PACKET_BROADCAST);
	} else if (eth->h_dest[0] & 1) {
		pkt_set_type(p, PACKET_MULTICAST);
	} else {
		pkt_set_type(p, PACKET_OTHERHOST);
		if (cfg.drop_other)
			return SELF(filter)();
	}
	return OUTPUT(0);
}
