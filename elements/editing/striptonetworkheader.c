ELEMENT(StripToNetworkHeader)
{
	int offset;

	if (!pkt_has_network_header(p))
		return DROP(MALFORMED);
	offset = pkt_network_offset(p);
	if (offset < 0)
		return pkt_push(p, -offset) ? OUTPUT(0) : PUNT;
	if (pkt_pull(p, offset))
		return OUTPUT(0);
	if (!USERSPACE)
		return PUNT;
	pkt_pull(p, pkt_len(p));
	return OUTPUT(0);
}
