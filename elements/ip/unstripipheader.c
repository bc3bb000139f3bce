ELEMENT(UnstripIPHeader)
{
	int offset;

	if (!pkt_has_network_header(p))
		return DROP_WITHOUT_HEADER(p);
	offset = pkt_network_offset(p);
	if (offset >= 0)
		return OUTPUT(0);
	return pkt_push(p, -offset) ? OUTPUT(0) : PUNT;
}
