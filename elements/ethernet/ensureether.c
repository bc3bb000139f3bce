static __always_inline bool SELF(holds_ip)(const struct ethhdr *eth)
{
	return eth->h_proto == htons(ETH_P_IP) || eth->h_proto == htons(ETH_P_IPV6);
}

/* Make the packet begin 14 bytes before its network header; false if there is no room. */
static __always_inline bool SELF(make_room)(struct pkt *p, int network)
{
	return network >= ETH_HLEN ? pkt_pull(p, network - ETH_HLEN) : pkt_push(p, ETH_HLEN - network);
}

static __always_inline int SELF(encapsulate)(struct pkt *p, int network)
{
	struct ethhdr *eth;

	if (network > (int)pkt_len(p))
		return DROP(MALFORMED);
	if (!SELF(make_room)(p, network))
		return PUNT;
	eth = pkt_data(p, 0, sizeof(*eth));
	if (!eth)
		return DROP(NO_HEADROOM);
	ether_copy(eth->h_dest, cfg.dst);
	ether_copy(eth->h_source, cfg.src);
	eth->h_proto = htons(cfg.ethertype);
	return OUTPUT(0);
}

ELEMENT(EnsureEther)
{
	const int network = pkt_has_network_header(p) ? pkt_network_offset(p) : -1;
	const struct ethhdr *eth;

	if (network < 0)
		return OUTPUT(0);
	if (network == ETH_HLEN) {
		eth = pkt_data(p, 0, sizeof(*eth));
		if (eth && SELF(holds_ip)(eth))
			return OUTPUT(0);
	} else if (network == 0 && pkt_has_mac_header(p) && pkt_mac_offset(p) == -ETH_HLEN) {
		eth = pkt_mac_header(p, sizeof(*eth));
		if (eth && SELF(holds_ip)(eth))
			return pkt_push(p, ETH_HLEN) ? OUTPUT(0) : PUNT;
	}
	return SELF(encapsulate)(p, network);
}
