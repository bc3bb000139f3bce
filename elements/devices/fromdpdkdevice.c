/* Packets come with their device, type and MAC header annotations set. */
ELEMENT(FromDPDKDevice)
{
	count(counters, count, pkt_packets(p));
	return OUTPUT(0);
}
