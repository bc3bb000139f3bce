#include "ip/transport.h"

/* The source and destination port of TCP or UDP, in network byte order. */
static __always_inline __u32 *SELF(ports)(struct pkt *p)
{
	return pkt_transport_header(p, sizeof(__u32));
}

#if USERSPACE
/* Fill the entry that isn't current: packets on other CPUs read the current one meanwhile. */
static int SELF(remember)(const struct iphdr *ip, __u32 ports)
{
	struct SELF(vars) *vars = var(vars);
	struct SELF(flows) *flow;

	lock();
	if (!vars->known) {
		flow = at(flows, !vars->current);
		flow->source = ip->saddr;
		flow->destination = ip->daddr;
		flow->ports = ports;
		__atomic_store_n(&vars->current, !vars->current, __ATOMIC_RELEASE);
		vars->known = true;
	}
	unlock();
	return OUTPUT(0);
}
#endif

static __always_inline int SELF(learn)(struct pkt *p)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const __u32 *ports;

	if (!ip || !ip_is_first_fragment(ip) || read_once(var(vars)->known))
		return OUTPUT(0);
	ports = SELF(ports)(p);
	if (!ports)
		return OUTPUT(0);
	return IN_USERSPACE(SELF(remember)(ip, *ports));
}

static __always_inline bool SELF(write)(struct pkt *p)
{
	const struct SELF(flows) *flow;
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	__u32 *ports;

	if (!ip)
		return false;
	ports = SELF(ports)(p);
	if (!ports)
		return false;
	flow = at(flows, read_once(var(vars)->current));
	if (!flow)
		return false;
	ip->saddr = flow->source;
	ip->daddr = flow->destination;
	word32(ports) = flow->ports;
	return true;
}

#include "tcpudp/copying.inc.h"
