ELEMENT(EtherEncap)
{
	const struct SELF(header) *header = var(header);
	struct ethhdr *eth = pkt_prepend(p, sizeof(*eth));

	if (!eth)
		return PUNT;
	__builtin_memcpy(eth, header, sizeof(*eth));
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, ETH_HLEN);
	return OUTPUT(0);
}
