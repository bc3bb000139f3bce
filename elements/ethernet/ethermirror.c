ELEMENT(EtherMirror)
{
	__u8 destination[ETH_ALEN] __attribute__((aligned(4)));
	__u8 *addresses = pkt_data(p, 0, 2 * ETH_ALEN);

	if (!addresses)
		return DROP(MALFORMED);
	ether_copy(destination, addresses);
	ether_copy(addresses, addresses + ETH_ALEN);
	ether_copy(addresses + ETH_ALEN, destination);
	return OUTPUT(0);
}
