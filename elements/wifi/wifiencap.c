#include "wifi/wifi.h"
#include "wifi/info.inc.h"

#define SNAP htonl(0xaaaa0300)

/* Write the addresses in the order of the frame's direction. */
static __always_inline void SELF(place)(struct wifi_header *wifi, __u8 way, const struct ethhdr *eth, const __u8 *bssid)
{
	switch (way) {
	case WIFI_TO_NOBODY:
		ether_copy(wifi->address[0], eth->h_dest);
		ether_copy(wifi->address[1], eth->h_source);
		ether_copy(wifi->address[2], bssid);
		return;
	case WIFI_FROM_ACCESS_POINT:
		ether_copy(wifi->address[0], eth->h_dest);
		ether_copy(wifi->address[1], bssid);
		ether_copy(wifi->address[2], eth->h_source);
		return;
	default:
		ether_copy(wifi->address[0], bssid);
		ether_copy(wifi->address[1], eth->h_source);
		ether_copy(wifi->address[2], eth->h_dest);
	}
}

ELEMENT(WifiEncap)
{
	const struct SELF(vars) *vars = var(vars);
	const struct wifi_info *info = SELF(info)();
	struct ethhdr eth, *old = pkt_data(p, 0, sizeof(*old));
	struct wifi_header *wifi;
	struct snap_header *snap;
	__u32 extra, length;
	__u8 way;

	if (!old)
		return DROP(MALFORMED);
	__builtin_memcpy(&eth, old, sizeof(eth));
	way = vars->mode & WIFI_WAY;
	extra = way == WIFI_BETWEEN_ACCESS_POINTS ? WIFI_ADDRESS : 0;
	length = sizeof(*wifi) + sizeof(*snap) - sizeof(eth);
	if (!pkt_push(p, length + extra))
		return PUNT;
	wifi = pkt_data(p, 0, sizeof(*wifi));
	if (!wifi)
		return DROP(NO_HEADROOM);
	__builtin_memset(wifi, 0, sizeof(*wifi));
	wifi->control = WIFI_DATA;
	wifi->flags = way;
	SELF(place)(wifi, way, &eth, info ? info->bssid : vars->bssid);
	if (extra) {
		__u8 *source = pkt_data(p, sizeof(*wifi), WIFI_ADDRESS);

		if (!source)
			return DROP(NO_HEADROOM);
		ether_copy(source, eth.h_source);
	}
	snap = pkt_data(p, sizeof(*wifi) + extra, sizeof(*snap));
	if (!snap)
		return DROP(NO_HEADROOM);
	word32(snap->llc) = SNAP;
	word16(snap->llc + 4) = 0;
	snap->type = eth.h_proto;
	return OUTPUT(0);
}
