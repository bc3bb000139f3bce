#include "ip/fragments.h"
#include "ip/ip.h"

#if USERSPACE
static int SELF(fragment)(struct pkt *p, struct iphdr *ip, __u32 length)
{
	const int first = (int)(cfg.mtu - ip_header_length(ip)) & ~7;
	struct pkt *rest, *next;

	if ((cfg.honor_df && (ip->frag_off & htons(IP_DF))) || first < 8) {
		const __u8 *from = (const __u8 *)&ip->saddr, *to = (const __u8 *)&ip->daddr;

		warn(cfg.verbose ? ALWAYS : 5, "IPFragmenter(%u) DF %u.%u.%u.%u %u.%u.%u.%u len=%u", cfg.mtu, from[0], from[1], from[2], from[3],
		     to[0], to[1], to[2], to[3], pkt_len(p));
		count(counters, drops, 1);
		return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(FILTERED);
	}
	if (ntohs(ip->tot_len) > length)
		return DROP(MALFORMED);
	rest = ip_split(p, ip, first, cfg.mtu, cfg.headroom);
	count(counters, fragments, 1);
	emit(p, 0);
	for (; rest; rest = next) {
		next = rest->next;
		count(counters, fragments, 1);
		emit(rest, 0);
	}
	return STOLEN;
}
#endif

MARKED_ELEMENT(IPFragmenter, struct iphdr, ip)
{
	int length;

	length = pkt_longest(p) - pkt_network_offset(p);
	if (length <= (int)cfg.mtu)
		return OUTPUT(0);
	return IN_USERSPACE(SELF(fragment)(p, ip, length));
}
