/* Where the IP header begins after an Ethernet header. */
#pragma once

static __always_inline bool is_ip_type(__be16 protocol)
{
	return protocol == htons(ETH_P_IP) || protocol == htons(ETH_P_IPV6);
}

/* The offset after an Ethernet header with at most one VLAN tag; -1 if no IP packet follows. */
static __always_inline int ether_ip_offset(struct pkt *p)
{
	const struct ethhdr *eth = pkt_data(p, 0, sizeof(*eth));
	const __be16 *inner;

	if (!eth)
		return -1;
	if (is_ip_type(eth->h_proto))
		return sizeof(*eth);
	if (eth->h_proto != htons(ETH_P_8021Q))
		return -1;
	inner = pkt_data(p, 16, sizeof(*inner));
	return inner && is_ip_type(*inner) ? 18 : -1;
}

/* Set the annotations of an IP packet whose header is at `start`; false if there is no valid one. */
static __always_inline bool mark_ip(struct pkt *p, int start)
{
	const struct iphdr *ip = start < 0 ? NULL : pkt_data(p, start, sizeof(*ip));

	if (!ip)
		return false;
	if (ip->version == 6) {
		if (!pkt_data(p, start, 40))
			return false;
		pkt_set_network_header(p, start);
		pkt_set_transport_header(p, start + 40);
		return true;
	}
	if (ip->version != 4 || ip->ihl < 5 || pkt_len(p) < start + 4 * (__u32)ip->ihl)
		return false;
	pkt_set_dst_ip(p, ip->daddr);
	pkt_set_network_header(p, start);
	pkt_set_transport_header(p, start + 4 * ip->ihl);
	return true;
}
