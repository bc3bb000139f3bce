/* IP headers by the state `vars` and the arguments of IPEncap. Included once for each instance. */
#include "ip/encap.h"

static __always_inline int SELF(encapsulate)(struct pkt *p)
{
	struct SELF(vars) *vars = var(vars);
	struct ip_fields fields = { .tos = cfg.tos, .ttl = cfg.ttl, .protocol = cfg.proto, .df = cfg.df };
	struct iphdr *ip = pkt_prepend(p, sizeof(*ip));

	if (!ip)
		return PUNT;
	fields.id = __sync_fetch_and_add(&vars->number, 1);
	fields.source = vars->src;
	fields.destination = vars->from_annotation ? pkt_dst_ip(p) : vars->dst;
	ip_write(p, ip, &fields);
	return OUTPUT(0);
}
