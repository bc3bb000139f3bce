/* ICMP and IP headers in front of packets. */
#include "icmp/icmp.h"
#include "ip/encap.h"
#include "ip/sum.h"

/* The sequence number of packet `number`, from 0; it is never 0. */
static __always_inline __u16 SELF(sequence)(__u64 number)
{
	return number % 0xffff + 1;
}

static __always_inline void SELF(write)(struct pkt *p, struct iphdr *ip, struct SELF(vars) *vars)
{
	struct icmp_header *icmp = (struct icmp_header *)(ip + 1);
	struct ip_fields fields = { .ttl = 255, .protocol = PROTOCOL_ICMP };

	fields.id = SELF(sequence)(__sync_fetch_and_add(&vars->number, 1));
	fields.source = vars->src;
	fields.destination = vars->dst;
	ip_write(p, ip, &fields);
	__builtin_memset(icmp, 0, cfg.size);
	icmp->type = cfg.type;
	icmp->code = cfg.code;
	if (cfg.numbered) {
		icmp->identifier = htons(cfg.identifier);
		icmp->sequence = htons(fields.id);
	}
}

ELEMENT(ICMPEncap)
{
	struct SELF(vars) *vars = var(vars);
	struct iphdr *ip;
	__u64 sum = 0;

	if (!USERSPACE && pkt_len(p) > SUM_MOST - cfg.size)
		return PUNT;
	ip = pkt_prepend(p, sizeof(*ip) + cfg.size);
	if (!ip)
		return PUNT;
	SELF(write)(p, ip, vars);
	if (!sum_bytes(p, sizeof(*ip), pkt_len(p) - sizeof(*ip), &sum))
		return DROP(MALFORMED);
	((struct icmp_header *)(ip + 1))->checksum = ~checksum_fold(sum);
	return OUTPUT(0);
}
