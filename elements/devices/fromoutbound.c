/* Packets come with their device and MAC header (of an L3 device network header) annotations set. */
ELEMENT(FromOutbound)
{
	count(counters, count, pkt_packets(p));
	pkt_set_type(p, PACKET_OUTGOING);
	return OUTPUT(0);
}
