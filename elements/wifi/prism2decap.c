#include "wifi/extra.h"
#include "wifi/prism.h"

ELEMENT(Prism2Decap)
{
	const struct prism_header *header = pkt_data(p, 0, sizeof(*header));
	struct wifi_extra *extra = wifi_extra(p);

	if (!header || word32(&header->code) != PRISM_SNIFFED)
		return OUTPUT(0);
	extra->rssi = word32(&header->item[PRISM_RSSI].value);
	extra->silence = word32(&header->item[PRISM_NOISE].value);
	extra->rate[0] = word32(&header->item[PRISM_RATE].value);
	if (word32(&header->item[PRISM_IS_SENT].value))
		extra->flags |= WIFI_EXTRA_TX;
	else
		extra->flags &= ~WIFI_EXTRA_TX;
	pkt_pull(p, sizeof(*header));
	return OUTPUT(0);
}
