ELEMENT(EtherRewrite)
{
	const struct SELF(addresses) *addresses = var(addresses);
	__u8 *header;

	header = pkt_has_mac_header(p) ? pkt_mac_header(p, 2 * ETH_ALEN) : pkt_data(p, 0, 2 * ETH_ALEN);
	if (!header)
		return DROP(MALFORMED);
	ether_copy(header, addresses->dst);
	ether_copy(header + ETH_ALEN, addresses->src);
	return OUTPUT(0);
}
