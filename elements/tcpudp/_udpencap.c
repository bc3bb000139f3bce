/* UDP and IP headers in front of packets. */
#include "ip/encap.h"
#include "tcpudp/checksum.h"

struct SELF(headers) {
	struct iphdr ip;
	struct udp_header udp;
};

static __always_inline void SELF(write)(struct pkt *p, struct SELF(headers) *headers, struct SELF(vars) *vars)
{
	struct ip_fields fields = { .ttl = 250, .protocol = PROTOCOL_UDP };
	__u64 number = __sync_fetch_and_add(&vars->number, 1);
	__u16 step = cfg.interval ? number / (cfg.interval ?: 1) : 0;

	fields.id = number;
	fields.source = vars->src;
	fields.destination = vars->from_annotation ? pkt_dst_ip(p) : vars->dst;
	ip_write(p, &headers->ip, &fields);
	headers->udp.source = htons((__u16)(vars->sport + step));
	headers->udp.destination = htons((__u16)(vars->dport + step));
	headers->udp.length = htons((__u16)(pkt_len(p) - sizeof(headers->ip)));
	headers->udp.checksum = 0;
}

ELEMENT(UDPEncap)
{
	struct SELF(vars) *vars = var(vars);
	struct SELF(headers) *headers;
	__u64 sum;

	if (!USERSPACE && cfg.checksum && pkt_len(p) > SUM_MOST - sizeof(headers->udp))
		return PUNT;
	headers = pkt_prepend(p, sizeof(*headers));
	if (!headers)
		return PUNT;
	SELF(write)(p, headers, vars);
	if (!cfg.checksum)
		return OUTPUT(0);
	if (!transport_sum(p, &headers->ip, (__u16)(pkt_len(p) - sizeof(headers->ip)), &sum))
		return DROP(MALFORMED);
	headers->udp.checksum = ~checksum_fold(sum);
	return OUTPUT(0);
}
