/* RadixIPsecLookup: looks up the next hop in a routing table, and the security association if the route leads into an IPsec tunnel. */
#include "ip/ip.h"
#include "ip/hop.inc.h"

#define PROTOCOL_ESP 50
/* Outputs with a special meaning: ESP for this host, packets for a tunnel, all else for this host. */
#define FROM_TUNNEL 0
#define INTO_TUNNEL 1
#define FOR_HOST 2

#if USERSPACE

LASTING(struct sa_table, sa_table);

INIT()
{
	*SELF(sa_table) = (struct sa_table) {
		.next = *sa_tables, .number = SELF(index), .count = cfg.capacity, .sa = (struct sa *)at(associations, 0)
	};
	*sa_tables = SELF(sa_table);
	return 0;
}

CLEANUP()
{
	*sa_tables = NULL;
}

/* Annotate a packet with its association, for the tunnel's elements; `number` is 0 for none. */
static int SELF(annotate)(struct pkt *p, __u32 number, int port)
{
	const struct SELF(associations) *sa = at(associations, number - 1);

	if (!sa || !sa->spi) {
		warn(5, "%s: no IPsec association for packet", SELF(name));
		return DROP(NO_ASSOCIATION);
	}
	pkt_set_anno_u32(p, IPSEC_SPI_ANNO, sa->spi);
	*(__u64 *)(p->anno + IPSEC_SA_ANNO) = sa_reference(SELF(index), number - 1);
	return OUTPUT(port);
}

/* Look up an ESP packet's association by SPI; returns its number from 1, or 0 for none. */
static __u32 SELF(by_spi)(struct pkt *p)
{
	const struct esp_header *esp = NULL;
	const struct iphdr *ip = pkt_data(p, 0, sizeof(*ip));
	__u32 place;

	if (ip)
		esp = pkt_data(p, ip->ihl * 4, sizeof(*esp));
	if (!esp)
		return 0;
	place = ntohl(esp->spi) * 2654435769u;
	for (__u32 i = 0; i < cfg.spi_slots; i++) {
		const __u32 number = at(spis, (place + i) & (cfg.spi_slots - 1))->association;

		if (!number || at(associations, number - 1)->spi == ntohl(esp->spi))
			return number;
	}
	return 0;
}

#endif

static __always_inline bool SELF(is_esp)(struct pkt *p)
{
	const struct iphdr *ip = pkt_data(p, 0, sizeof(*ip));

	return ip && ip->protocol == PROTOCOL_ESP;
}

ELEMENT(RadixIPsecLookup)
{
	const __be32 destination = pkt_dst_ip(p);
	const __u32 number = SELF(route)(destination);
	const struct SELF(routes) *route = at(routes, number);
	union SELF(hop) hop;

	if (!route) {
		tell_no_route("IPsecRouteTable", 5, destination);
		return DROP(NO_ROUTE);
	}
	hop.whole = read_once(*(const __u64 *)&route->gateway);
	if (hop.port == FROM_TUNNEL && !SELF(is_esp)(p))
		hop.port = FOR_HOST;
	/* Packets for or from tunnels always continue in the runtime. */
	if (!USERSPACE && hop.port < FOR_HOST)
		return PUNT;
	if (hop.gateway)
		pkt_set_dst_ip(p, hop.gateway);
#if USERSPACE
	if (hop.port == FROM_TUNNEL)
		return SELF(annotate)(p, SELF(by_spi)(p), FROM_TUNNEL);
	if (hop.port == INTO_TUNNEL)
		return SELF(annotate)(p, at(tunnels, number)->association, INTO_TUNNEL);
#endif
	return OUTPUT(hop.port);
}
