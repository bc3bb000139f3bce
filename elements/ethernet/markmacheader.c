ELEMENT(MarkMACHeader)
{
	const __u64 end = (__u64)cfg.offset + cfg.length;

	if (pkt_len(p) < end)
		return OUTPUT(0);
	pkt_set_mac_header(p, cfg.offset);
	if (cfg.length)
		pkt_set_network_header(p, end);
	return OUTPUT(0);
}
