ELEMENT(DropBroadcasts)
{
	if (pkt_type(p) != PACKET_BROADCAST && pkt_type(p) != PACKET_MULTICAST)
		return OUTPUT(0);
	count(counters, drops, pkt_packets(p));
	return cfg.noutputs == 2 ? OUTPUT(1) : DROP(FILTERED);
}
