ELEMENT(GetIPAddress)
{
	const void *address = cfg.in_header ? pkt_network_data(p, cfg.at, 4) : pkt_data(p, cfg.at, 4);

	pkt_set_anno_u32(p, cfg.anno, address ? word32(address) : 0);
	return OUTPUT(0);
}
