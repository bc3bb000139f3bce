#include "ip/readdress.h"

/* The largest offset on the kernel path: no packet there is longer, and the verifier refuses more. */
#define FAR 0x3fff

static __always_inline int SELF(refuse)(void)
{
	return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(MALFORMED);
}

static __always_inline int SELF(store_in_header)(struct pkt *p, __be32 address)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (!ip)
		return SELF(refuse)();
	if (ip_header_length(ip) < sizeof(*ip))
		return SELF(refuse)();
	ip_readdress(p, ip, cfg.at, address);
	return OUTPUT(0);
}

ELEMENT(StoreIPAddress)
{
	__be32 address = cfg.fixed ? cfg.address : pkt_dst_ip(p);
	void *place;

	if (!cfg.fixed && !address)
		return OUTPUT(0);
	if (cfg.in_header)
		return SELF(store_in_header)(p, address);
	if (!USERSPACE && cfg.at > FAR)
		return PUNT;
	place = pkt_data(p, cfg.at, sizeof(address));
	if (!place)
		return SELF(refuse)();
	word32(place) = address;
	return OUTPUT(0);
}
