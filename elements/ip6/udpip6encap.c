#include "ip6/checksum.h"
#include "ip6/encap.inc.h"

struct SELF(headers) {
	struct ip6_header ip;
	struct udp_header udp;
};

static __always_inline void SELF(write_udp)(struct pkt *p, struct udp_header *udp, const struct SELF(vars) *vars)
{
	udp->source = htons(vars->sport);
	udp->destination = htons(vars->dport);
	udp->length = htons((__u16)(pkt_len(p) - sizeof(struct ip6_header)));
	udp->checksum = 0;
}

ELEMENT(UDPIP6Encap)
{
	const struct ip6_inner inner = { .protocol = PROTOCOL_UDP, .offset = sizeof(struct ip6_header) };
	const struct SELF(vars) *vars = var(vars);
	struct SELF(headers) *headers;
	__u64 sum;
	__u16 check;

	if (!USERSPACE && pkt_len(p) > SUM_MOST - sizeof(headers->udp))
		return PUNT;
	headers = pkt_prepend(p, sizeof(*headers));
	if (!headers)
		return PUNT;
	SELF(write_ip6)(p, &headers->ip, vars, 0, PROTOCOL_UDP, 255);
	SELF(write_udp)(p, &headers->udp, vars);
	if (!ip6_transport_sum(p, &headers->ip, &inner, (__u16)(pkt_len(p) - sizeof(headers->ip)), &sum))
		return DROP(MALFORMED);
	check = ~checksum_fold(sum);
	headers->udp.checksum = check ?: 0xffff;
	return OUTPUT(0);
}
