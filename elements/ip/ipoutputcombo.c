#include "ip/ttl.h"
#if USERSPACE
#include "ip/gatewayoptions.h"
#endif

enum {
	SELF(FORWARDED),
	SELF(REDIRECTED),
	SELF(PARAMETER_PROBLEM),
	SELF(TIME_EXCEEDED),
	SELF(TOO_LONG),
};

/* Options and source address: the checksum is recomputed over the whole header. Returns an output. */
#if USERSPACE
static int SELF(rewrite)(struct pkt *p, __u32 length)
{
	const struct ip_router router = {.address = cfg.myaddr, .is_own = SELF(my_address)};
	struct iphdr *ip = pkt_network_header(p, length);
	bool changed = false;
	__u32 wrong;

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	if (length > sizeof(*ip)) {
		wrong = ip_fill_options(ip, length, &router, &changed);
		if (wrong) {
			pkt_set_anno_u8(p, ICMP_PARAMPROB_ANNO, wrong);
			return OUTPUT(SELF(PARAMETER_PROBLEM));
		}
	}
	if (pkt_anno_u8(p, FIX_IP_SRC_ANNO)) {
		pkt_set_anno_u8(p, FIX_IP_SRC_ANNO, 0);
		ip->saddr = cfg.ipaddr;
		changed = true;
	}
	if (changed) {
		ip->check = 0;
		ip->check = checksum(ip, length);
	}
	return OUTPUT(SELF(FORWARDED));
}

static void SELF(redirect)(struct pkt *p)
{
	emit_copy(p, SELF(REDIRECTED));
}
#else
static __always_inline int SELF(rewrite)(struct pkt *p, __u32 length)
{
	return PUNT;
}

static __always_inline void SELF(redirect)(struct pkt *p) { }
#endif

ELEMENT(IPOutputCombo)
{
	struct iphdr *ip;
	int result;

	if (pkt_is_to_group(p))
		return DROP(FILTERED);
	if (pkt_anno_u8(p, PAINT_ANNO) == cfg.color) {
		if (!USERSPACE)
			return PUNT;
		SELF(redirect)(p);
	}
	ip = pkt_network_header(p, sizeof(*ip));
	if (!ip)
		return DROP(MALFORMED);
	if (ip_header_length(ip) > sizeof(*ip) || pkt_anno_u8(p, FIX_IP_SRC_ANNO)) {
		result = SELF(rewrite)(p, ip_header_length(ip));
		if (result != OUTPUT(SELF(FORWARDED)))
			return result;
	}
	if (!ip_decrement_ttl(ip))
		return OUTPUT(SELF(TIME_EXCEEDED));
	return pkt_longest(p) > cfg.mtu ? OUTPUT(SELF(TOO_LONG)) : OUTPUT(SELF(FORWARDED));
}
