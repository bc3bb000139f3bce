#include "ip6/checksum.h"
#include "ip6/mappings.inc.h"

#define AT_ERROR 8	/* bytes of an ICMPv6 error before the packet in it */

static __always_inline int SELF(refuse)(void)
{
	return cfg.outputs == 3 ? OUTPUT(2) : DROP(FILTERED);
}

static __always_inline bool SELF(fits)(const struct SELF(key) *key, const __u8 kind)
{
	if (kind == SELF(PORTS))
		return key->has_ports;
	return kind == SELF(ADDRESSES) || (kind == SELF(FLOWS) && (key->has_ports || key->has_identifier));
}

/* The packet's mapping, or NULL. On the kernel path, sets *unsure if the runtime may find or make a mapping. The runtime makes one
 * only with `may_make`.
 */
static __always_inline struct SELF(mappings) *SELF(mapping)(const struct SELF(key) *key, const int side, bool may_make,
							   struct SELF(target) *target, bool *unsure)
{
	struct SELF(mappings) *m = NULL;

	if (cfg.static_kind && SELF(fits)(key, cfg.static_kind))
		m = SELF(look)(key, cfg.static_kind, side, target, unsure);
	if (!m && cfg.dynamic_kind && SELF(fits)(key, cfg.dynamic_kind))
		m = SELF(look)(key, cfg.dynamic_kind, side, target, unsure);
	if (!m && may_make && cfg.dynamic_kind && cfg.asker == side && SELF(fits)(key, cfg.dynamic_kind)) {
#if USERSPACE
		m = SELF(make)(key, target);
#else
		*unsure = true;
#endif
	}
	return m;
}

/* Set a key's ports, or the identifier. `at_source`: the mapped address is the packet's source, as in outgoing packets and in
 * errors about incoming ones.
 */
static __always_inline void SELF(find_ports)(struct pkt *p, const struct ip6_inner *inner, const int at_source, struct SELF(key) *key)
{
	const __u8 *ports;

	key->protocol = inner->protocol;
	if (inner->protocol != PROTOCOL_TCP && inner->protocol != PROTOCOL_UDP && inner->protocol != IP6_ICMP)
		return;
	ports = ip6_inner_header(p, inner, inner->protocol, 8);
	if (!ports)
		return;
	if (inner->protocol == IP6_ICMP) {
		key->has_identifier = ports[0] == ICMP6_ECHO || ports[0] == ICMP6_ECHO_REPLY;
		key->port = word16(ports + 4);
	} else {
		key->has_ports = true;
		key->port = word16(ports + (at_source ? 0 : 2));
		key->other_port = word16(ports + (at_source ? 2 : 0));
	}
}

static __always_inline void SELF(find_addresses)(const struct ip6_header *ip, const int at_source, struct SELF(key) *key)
{
	ip6_copy(key->address, at_source ? ip->source : ip->destination);
	ip6_copy(key->other, at_source ? ip->destination : ip->source);
}

/* The change to checksums. */
static __always_inline __u16 SELF(sum)(const __u8 *address, __be16 port)
{
	return checksum_fold(ip6_sum_address(address) + port);
}

/* Gives the packet the mapping's address and port. */
static __always_inline void SELF(write)(struct pkt *p, const struct ip6_inner *inner, const int at_source, const struct SELF(key) *key,
					const struct SELF(target) *target)
{
	struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	const int place = inner->protocol == IP6_ICMP ? 4 : at_source ? 0 : 2;
	__u16 *check, *port;

	if (!ip)
		return;
	port = key->port != target->port ? pkt_network_data(p, inner->offset + place, 2) : NULL;
	/* With a routing header, the pseudo-header has the final destination. */
	check = inner->routing && !at_source ? NULL : ip6_transport_checksum(p, inner);
	if (pkt_is_unseen(p))
		return;
	ip6_copy(at_source ? ip->source : ip->destination, target->address);
	if (port)
		*port = target->port;
	if (check)
		*check = checksum_update(*check, SELF(sum)(key->address, key->port), SELF(sum)(target->address, target->port));
	/* RFC 8200, 8.1: every UDP packet has a checksum. */
	if (check && inner->protocol == PROTOCOL_UDP && !*check)
		*check = 0xffff;
}

#if USERSPACE
/* Translates the packet quoted in an error, by making it the network header for a moment. False if it has no mapping. */
static bool SELF(translate_quoted)(struct pkt *p, const int side, struct SELF(target) *target)
{
	struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	struct SELF(key) key = {};
	struct ip6_inner inner;
	struct SELF(mappings) *m;
	bool unsure;

	if (!ip || ip6_version(ip) != 6)
		return false;
	inner = ip6_walk(p, ip);
	SELF(find_addresses)(ip, side, &key);
	SELF(find_ports)(p, &inner, side, &key);
	m = SELF(mapping)(&key, side, false, target, &unsure);
	if (m)
		SELF(write)(p, &inner, side, &key, target);
	return m;
}

/* An error goes to, or comes from, the host of the quoted packet, which went the other way. */
static int SELF(error)(struct pkt *p, const struct ip6_inner *inner, const int side)
{
	const int network = pkt_network_offset(p), quoted = network + inner->offset + AT_ERROR;
	const __u32 length = pkt_len(p) - quoted;
	struct ip6_header *ip;
	struct icmp6_header *icmp;
	struct SELF(target) target;
	__u16 before, address;
	bool found;

	before = checksum_fold((__u16)~checksum(pkt_data(p, quoted, length), length));
	pkt_set_network_header(p, quoted);
	found = SELF(translate_quoted)(p, side, &target);
	pkt_set_network_header(p, network);
	if (!found)
		return SELF(refuse)();
	ip = pkt_network_header(p, sizeof(*ip));
	icmp = ip6_inner_header(p, inner, IP6_ICMP, sizeof(*icmp));
	icmp->checksum = checksum_update(icmp->checksum, before, checksum_fold((__u16)~checksum(pkt_data(p, quoted, length), length)));
	address = checksum_fold(ip6_sum_address(side ? ip->destination : ip->source));
	icmp->checksum = checksum_update(icmp->checksum, address, checksum_fold(ip6_sum_address(target.address)));
	ip6_copy(side ? ip->destination : ip->source, target.address);
	if (side)
		pkt_set_dst_ip6(p, ip->destination);
	return OUTPUT(side);
}
#endif

static __always_inline bool SELF(is_error)(struct pkt *p, const struct ip6_inner *inner)
{
	const struct icmp6_header *icmp = ip6_inner_header(p, inner, IP6_ICMP, AT_ERROR);

	return icmp && icmp6_is_error(icmp->type);
}

ELEMENT(AddressTranslator)
{
	struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	struct SELF(key) key = {};
	struct SELF(target) target;
	struct SELF(mappings) *m;
	struct ip6_inner inner;
	bool unsure = false;

	if (!ip)
		return SELF(refuse)();
	inner = ip6_walk(p, ip);
	if (SELF(is_error)(p, &inner)) {
		return IN_USERSPACE(SELF(error)(p, &inner, input));
	}
	SELF(find_addresses)(ip, !input, &key);
	SELF(find_ports)(p, &inner, !input, &key);
	m = SELF(mapping)(&key, input, true, &target, &unsure);
	if (!m && !USERSPACE && unsure)
		return PUNT;
	if (!m)
		return SELF(refuse)();
	SELF(write)(p, &inner, !input, &key, &target);
	SELF(touch)(m, &key, input);
	if (input)
		pkt_set_dst_ip6(p, target.address);
	return OUTPUT(input);
}
