#include "common/headerreject.inc.h"
#include "ethernet/arp.h"

/* The fixed part of an ARP packet (RFC 826): addresses follow. */
struct SELF(header) {
	__be16 hardware, protocol;
	__u8 hardware_length, protocol_length;
	__be16 operation;
};

static __always_inline __u32 SELF(length)(const struct SELF(header) *arp)
{
	return sizeof(*arp) + 2 * arp->hardware_length + 2 * arp->protocol_length;
}

/* `room` bytes of the packet begin with `arp`. */
static __always_inline int SELF(mistake)(const struct SELF(header) *arp, __u32 room)
{
	if (room < SELF(length)(arp))
		return SELF(LENGTH);
	if (arp->hardware == htons(ARP_ETHERNET) && arp->hardware_length != 6)
		return SELF(HARDWARE);
	if (arp->protocol == htons(ETH_P_IP) && arp->protocol_length != 4)
		return SELF(PROTOCOL);
	if (arp->protocol == htons(ETH_P_IPV6) && arp->protocol_length != 16)
		return SELF(PROTOCOL);
	return SELF(NOTHING);
}

ELEMENT(CheckARPHeader)
{
	const struct SELF(header) *arp = pkt_data(p, cfg.offset, sizeof(*arp));
	int mistake = SELF(TINY);

	if (arp)
		mistake = SELF(mistake)(arp, pkt_len(p) - cfg.offset);
	if (mistake != SELF(NOTHING))
		return SELF(reject)(p, mistake, DROP(MALFORMED));
	pkt_set_network_header(p, cfg.offset);
	pkt_set_transport_header(p, cfg.offset + SELF(length)(arp));
	return OUTPUT(0);
}
