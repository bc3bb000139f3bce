#include "ip/sum.h"

/* Fragments become whole packets, except one in eight. */
static __always_inline void SELF(defragment)(struct SELF(vars) *vars, struct iphdr *ip)
{
	__u32 turn = read_once(vars->turn);

	write_once(vars->turn, turn + 1);
	if ((turn & 7) != 1)
		ip->frag_off = 0;
}

ELEMENT(ForceIP)
{
	struct iphdr *ip = pkt_data(p, 0, sizeof(*ip));
	struct SELF(vars) *vars = var(vars);
	__u32 length = pkt_len(p), header;
	__u64 sum = 0;

	if (!ip)
		return DROP(MALFORMED);
	SELF(defragment)(vars, ip);
	ip->version = 4;
	ip->tot_len = htons(length < 0xffff ? length : 0xffff);
	header = ip_header_length(ip);
	if (header < sizeof(*ip) || header > length) {
		header = length < IP_HEADER_MAX ? length & ~3u : IP_HEADER_MAX;
		ip->ihl = header / 4;
	}
	ip->check = 0;
	if (!sum_ip_header(p, 0, ip, header, &sum))
		return DROP(MALFORMED);
	ip->check = ~checksum_fold(sum);
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, header);
	return OUTPUT(0);
}
