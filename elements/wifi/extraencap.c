#include "wifi/extra.h"

ELEMENT(ExtraEncap)
{
	struct wifi_extra *extra = pkt_prepend(p, sizeof(*extra));

	if (!extra)
		return PUNT;
	__builtin_memcpy(extra, wifi_extra(p), sizeof(*extra));
	word32(&extra->magic) = WIFI_EXTRA_MAGIC;
	return OUTPUT(0);
}
