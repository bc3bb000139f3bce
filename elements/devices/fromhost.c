ELEMENT(FromHost)
{
	const struct ethhdr *eth;
	const struct iphdr *ip;

	count(counters, count, 1);
	if (!cfg.type)
		return OUTPUT(0);
	eth = pkt_data(p, 0, sizeof(*eth));
	ip = pkt_data(p, sizeof(*eth), sizeof(*ip));
	if (!eth || eth->h_proto != htons(ETH_P_IP) || !ip || ip->version != 4 || ip->ihl < 5)
		return OUTPUT(1);
	pkt_set_dst_ip(p, ip->daddr);
	pkt_pull(p, sizeof(*eth));
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, 4 * ip->ihl);
	return OUTPUT(0);
}
