#include "wifi/extra.h"

ELEMENT(ExtraDecap)
{
	const struct wifi_extra *extra = wifi_extra_in_front(p);

	if (!extra)
		return OUTPUT(0);
	__builtin_memcpy(wifi_extra(p), extra, sizeof(*extra));
	if (!pkt_pull(p, sizeof(*extra)))
		return DROP(MALFORMED);
	return OUTPUT(0);
}
