#include "ip/ip.h"

#if USERSPACE
#include "ip/gatewayoptions.h"

static int SELF(options)(struct pkt *p, __u32 length)
{
	const struct ip_router router = {.address = cfg.myaddr, .is_own = SELF(my_address)};
	struct iphdr *ip = pkt_network_header(p, length);
	__u32 wrong;
	bool ours;

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	wrong = ip_fill_options(ip, length, &router, &ours);
	if (wrong) {
		count(counters, malformed, pkt_packets(p));
		pkt_set_anno_u8(p, ICMP_PARAMPROB_ANNO, wrong);
		return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(MALFORMED);
	}
	if (ours) {
		ip->check = 0;
		ip->check = checksum(ip, length);
	}
	return OUTPUT(0);
}
#endif

MARKED_ELEMENT(IPGWOptions, const struct iphdr, ip)
{
	if (pkt_is_bare(p) || ip->ihl <= 5)
		return OUTPUT(0);
	return IN_USERSPACE(SELF(options)(p, ip_header_length(ip)));
}
