ELEMENT(EtherEncap)
{
	const struct SELF(header) *header = var(header);
	struct ethhdr *eth;

	if (!pkt_push(p, sizeof(*eth)))
		return PUNT;
	eth = pkt_data(p, 0, sizeof(*eth));
	if (!eth)
		return DROP(NO_HEADROOM);
	__builtin_memcpy(eth, header, sizeof(*eth));
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, ETH_HLEN);
	return OUTPUT(0);
}
