#include "wifi/extra.h"
#include "wifi/wifi.h"

/* The address with an index; the fourth is after the header. */
static __always_inline const __u8 *SELF(address)(struct pkt *p, __u32 index)
{
	__u32 offset = index < 3 ? offsetof(struct wifi_header, address) + index * WIFI_ADDRESS : sizeof(struct wifi_header);

	return pkt_data(p, offset, WIFI_ADDRESS);
}

/* The equivalent Ethernet header; false if the frame's header is truncated. */
static __always_inline bool SELF(translate)(struct pkt *p, __u8 way, __u32 length, struct ethhdr *eth)
{
	const struct snap_header *snap;
	const __u8 *address = SELF(address)(p, wifi_destination(way));

	if (!address)
		return false;
	ether_copy(eth->h_dest, address);
	address = SELF(address)(p, wifi_source(way));
	if (!address)
		return false;
	ether_copy(eth->h_source, address);
	snap = pkt_data(p, length, sizeof(*snap));
	if (!snap || (cfg.strict && !snap_is_ethernet(snap)))
		return false;
	eth->h_proto = snap->type;
	return true;
}

ELEMENT(WifiDecap)
{
	const struct wifi_header *wifi = pkt_data(p, 0, sizeof(*wifi));
	struct ethhdr eth, *header;
	__u32 length = sizeof(*wifi);
	__u8 way;

	if (!wifi)
		return DROP(MALFORMED);
	if (wifi->flags & WIFI_PROTECTED)
		return DROP(FILTERED);
	way = wifi->flags & WIFI_WAY;
	if (way == WIFI_BETWEEN_ACCESS_POINTS)
		length += WIFI_ADDRESS;
	if ((wifi->control & WIFI_KIND) == WIFI_QOS_DATA)
		length += 2;
	if (wifi_extra(p)->magic == WIFI_EXTRA_MAGIC && wifi_extra(p)->pad)
		length = (length + 3) & ~3u;
	if (!SELF(translate)(p, way, length, &eth))
		return DROP(MALFORMED);
	length += sizeof(struct snap_header);
	if (!pkt_pull(p, cfg.ether ? length - sizeof(eth) : length))
		return DROP(MALFORMED);
	if (!cfg.ether)
		return OUTPUT(0);
	header = pkt_data(p, 0, sizeof(*header));
	if (!header)
		return DROP(MALFORMED);
	__builtin_memcpy(header, &eth, sizeof(eth));
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, sizeof(eth));
	return OUTPUT(0);
}
