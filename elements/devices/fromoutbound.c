/* Packets arrive with device and MAC header annotations set; those of L3 devices with a network header instead. */
ELEMENT(FromOutbound)
{
	count(counters, count, pkt_packets(p));
	pkt_set_type(p, PACKET_OUTGOING);
	return OUTPUT(0);
}
