#include "ip/transport.h"

/* No packet in the kernel path has bytes beyond this, and the verifier refuses larger offsets. */
#define FAR 0x3fff

static __always_inline int SELF(refuse)(void)
{
	return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(MALFORMED);
}

/* Both checksums cover the address: one in the header, the other in the pseudo-header. */
static __always_inline void SELF(update_transport)(struct pkt *p, __u8 protocol, __u16 from, __u16 to)
{
	if (protocol == PROTOCOL_TCP) {
		struct tcp_header *tcp = pkt_transport_header(p, sizeof(*tcp));

		if (tcp)
			tcp->checksum = checksum_update(tcp->checksum, from, to);
	} else if (protocol == PROTOCOL_UDP) {
		struct udp_header *udp = pkt_transport_header(p, sizeof(*udp));

		if (udp && udp->checksum)
			udp->checksum = checksum_update(udp->checksum, from, to);
	}
}

static __always_inline int SELF(store_in_header)(struct pkt *p, __be32 address)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	__u16 from, to = checksum_fold(address);
	__be32 *place;

	if (!ip)
		return SELF(refuse)();
	if (ip_header_length(ip) < sizeof(*ip))
		return SELF(refuse)();
	place = (void *)ip + cfg.at;
	from = checksum_fold(*place);
	*place = address;
	ip->check = checksum_update(ip->check, from, to);
	if (ip_is_first_fragment(ip))
		SELF(update_transport)(p, ip->protocol, from, to);
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
