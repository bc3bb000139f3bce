#include "ip6/readdress6.h"

/* The largest offset on the kernel path: no packet there is longer, and the verifier refuses more. */
#define FAR 0x3fff

static __always_inline int SELF(refuse)(void)
{
	return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(MALFORMED);
}

static __always_inline int SELF(store_in_header)(struct pkt *p, const void *address)
{
	struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));

	if (!ip)
		return SELF(refuse)();
	ip6_readdress(p, ip, cfg.at, address);
	return OUTPUT(0);
}

ELEMENT(StoreIP6Address)
{
	__u8 address[16];
	void *place;

	ip6_copy(address, cfg.fixed ? cfg.address : p->anno + DST_IP6_ANNO);
	if (!cfg.fixed && ip6_is_zero(address))
		return OUTPUT(0);
	if (cfg.in_header)
		return SELF(store_in_header)(p, address);
	if (!USERSPACE && cfg.at > FAR)
		return PUNT;
	place = pkt_data(p, cfg.at, 16);
	if (!place)
		return SELF(refuse)();
	ip6_copy(place, address);
	return OUTPUT(0);
}
