#include "wifi/extra.h"

ELEMENT(ExtraEncap)
{
	struct wifi_extra *extra;

	if (!pkt_push(p, sizeof(*extra)))
		return PUNT;
	extra = pkt_data(p, 0, sizeof(*extra));
	if (!extra)
		return DROP(NO_HEADROOM);
	__builtin_memcpy(extra, wifi_extra(p), sizeof(*extra));
	word32(&extra->magic) = WIFI_EXTRA_MAGIC;
	return OUTPUT(0);
}
