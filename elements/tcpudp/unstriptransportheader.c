ELEMENT(UnstripTransportHeader)
{
	int offset;

	if (!pkt_has_transport_header(p))
		return DROP_WITHOUT_HEADER(p);
	offset = pkt_transport_offset(p);
	if (offset >= 0)
		return OUTPUT(0);
	return pkt_push(p, -offset) ? OUTPUT(0) : PUNT;
}
