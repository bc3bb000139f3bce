/* Packets come with their device, type and MAC header annotations set. */

/* Set the annotations of an IP packet behind an Ethernet header with at most one VLAN tag; false if it is none. */
static __always_inline bool SELF(mark_ip)(struct pkt *p)
{
	const struct iphdr *ip;
	struct ethhdr *eth = pkt_data(p, 0, sizeof(*eth));
	__u32 start = sizeof(*eth);
	__be16 *inner;

	if (!eth)
		return false;
	if (eth->h_proto == htons(ETH_P_8021Q)) {
		inner = pkt_data(p, 16, sizeof(*inner));
		start += 4;
		if (!inner || (*inner != htons(ETH_P_IP) && *inner != htons(ETH_P_IPV6)))
			return false;
	} else if (eth->h_proto != htons(ETH_P_IP) && eth->h_proto != htons(ETH_P_IPV6)) {
		return false;
	}
	ip = pkt_data(p, start, sizeof(*ip));
	if (!ip)
		return false;
	if (ip->version == 6) {
		if (!pkt_data(p, start, 40))
			return false;
		pkt_set_network_header(p, start);
		pkt_set_transport_header(p, start + 40);
		return true;
	}
	if (ip->version != 4 || ip->ihl < 5 || pkt_len(p) < start + 4 * ip->ihl)
		return false;
	pkt_set_dst_ip(p, ip->daddr);
	pkt_set_network_header(p, start);
	pkt_set_transport_header(p, start + 4 * ip->ihl);
	return true;
}

ELEMENT(FromDevice)
{
	count(counters, count, 1);
	if (cfg.cut != 0xffffffff && pkt_len(p) > cfg.cut)
		pkt_trim(p, cfg.cut);
	if (cfg.force_ip && !SELF(mark_ip)(p))
		return OUTPUT(1);
	return OUTPUT(0);
}
