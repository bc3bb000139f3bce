#include "common/hosts.inc.h"
#include "icmp/error.h"

/* No errors about packets to or from addresses known not to be a single host's (RFC 1812, 4.3.2.7). */
static __always_inline bool SELF(is_due)(struct pkt *p, const struct iphdr *ip)
{
	return !SELF(bad_address)(ip->daddr) && !SELF(bad_address)(ip->saddr) && icmp_error_may_be_about(p, ip);
}

/* The packet itself becomes the error, so that the element also works in pull context. The kernel path hands over packets that may
 * be source-routed, GSO packets, as each segment needs an error, and packets too long to sum.
 */
MARKED_ELEMENT(ICMPError, const struct iphdr, ip)
{
	struct SELF(vars) *vars = var(vars);
	struct icmp_error error = {.type = cfg.type, .code = cfg.code, .fix = cfg.fix};
	struct icmp_cause cause = {.gateway = pkt_dst_ip(p), .pointer = pkt_anno_u8(p, ICMP_PARAMPROB_ANNO)};
	__u64 *level;

	error.source = vars->src;
	error.mtu = read_once(vars->mtu);
	error.pmtu = vars->pmtu;
	error.number = &var(numbers)->last;
	cause.source = ip->saddr;
	if (!SELF(is_due)(p, ip))
		return DROP(FILTERED);
#if USERSPACE
	if (cfg.type == ICMP_REDIRECT && icmp_error_is_source_routed(p, ip))
		return DROP(FILTERED);
	icmp_error_reverse(&error, &cause, p, ip);
#else
	if (cfg.type == ICMP_REDIRECT && ip->ihl != 5)
		return PUNT;
#endif
	level = SELF(host_level)(cause.source);
	if (!level)
		return DROP(MALFORMED);
	if (!SELF(is_permitted)(level))	/* RFC 1812, 4.3.2.8 */
		return DROP(LIMITED);
	if (!USERSPACE && (ip->ihl != 5 || error.mtu > SUM_MOST || pkt_is_offloaded(p)))
		return PUNT;
	if (!pkt_begin(p, pkt_network_offset(p) - (int)icmp_error_front(&cause)))
		return USERSPACE ? DROP(NO_MEMORY) : PUNT;
	if (!SELF(is_granted)(level))
		return DROP(LIMITED);
	return icmp_error_make(&error, p, &cause) ? OUTPUT(0) : DROP(NO_MEMORY);
}
