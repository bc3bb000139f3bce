/* The parts of a packet that may be IPv4 or IPv6 (_ipfamilies.py): `length` bytes of each, or NULL. */
#pragma once

#include "ip6/ip6.h"

/* Whether an address of the packet may begin with a byte, by what earlier elements have found. */
#define may_begin(p, first) (!pkt_is_common(p) || IP6_IS_COMMON(first))

static __always_inline const __u8 *ip4_region(struct pkt *p, __u32 length)
{
	return ip_version_of(p) == 4 ? pkt_network_header(p, length) : NULL;
}

static __always_inline const __u8 *transp4_region(struct pkt *p, __u32 length)
{
	return ip_version_of(p) == 4 ? pkt_transport_header(p, length) : NULL;
}

static __always_inline const __u8 *ip6_region(struct pkt *p, __u32 length)
{
	const __u8 *ip = ip_version_of(p) == 6 ? pkt_network_header(p, length) : NULL;

	if (ip)
		__builtin_assume(*ip >> 4 == 6);
	return ip;
}

/* The header at the end of the chain of extension headers; an unknown protocol if the packet isn't IPv6. */
static __always_inline struct ip6_inner inner6(struct pkt *p)
{
	const struct ip6_header *ip = (const void *)ip6_region(p, sizeof(*ip));

	return ip ? ip6_walk(p, ip) : (struct ip6_inner){ .protocol = -1 };
}

static __always_inline const __u8 *frag6_region(struct pkt *p, __u32 length)
{
	struct ip6_inner inner = inner6(p);

	return inner.fragment ? pkt_network_data(p, inner.fragment, length) : NULL;
}

static __always_inline const __u8 *last6_region(struct pkt *p, __u32 length)
{
	struct ip6_inner inner = inner6(p);

	return inner.protocol >= 0 ? pkt_network_data(p, inner.named, length) : NULL;
}

static __always_inline const __u8 *upper6_region(struct pkt *p, __u32 length)
{
	struct ip6_inner inner = inner6(p);

	return inner.protocol >= 0 && !inner.later ? pkt_network_data(p, inner.offset, length) : NULL;
}
