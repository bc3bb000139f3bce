#include "wifi/extra.h"

ELEMENT(WifiSeq)
{
	void *place = pkt_data(p, cfg.offset, cfg.bytes);
	__u32 number;

	if (!place || pkt_len(p) == cfg.offset + cfg.bytes)
		return OUTPUT(0);
	wifi_extra(p)->flags |= WIFI_EXTRA_NO_SEQ;
	number = private(next)->seq++ << cfg.shift;
	if (cfg.bytes == sizeof(__u16))
		word16(place) = number;
	else
		word32(place) = number;
	return OUTPUT(0);
}
