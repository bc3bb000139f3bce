#include "wifi/rates.h"

#define GROUP 0x01		/* of an address's first byte */

#include "common/rows.inc.h"

ELEMENT(WifiDupeFilter)
{
	const struct wifi_header *wifi = pkt_data(p, 0, sizeof(*wifi));
	struct SELF(row) *station, *known;
	__u16 sequence, fragment;

	if (!wifi || wifi->control & WIFI_TYPE_CONTROL || wifi->address[0][0] & GROUP)
		return OUTPUT(0);
	known = table_find(SELF(table)(), wifi_station(wifi->address[1]));
	station = known ?: SELF(row_of)(wifi_station(wifi->address[1]));
	if (!station)
		return OUTPUT(0);
	sequence = wifi->sequence >> WIFI_FRAGMENT_BITS;
	fragment = wifi->sequence & WIFI_FRAGMENT;
	if (known && wifi->flags & WIFI_RETRY && sequence == station->sequence
	    && (!(fragment || wifi->flags & WIFI_FRAGMENTED) || fragment <= station->fragment)) {
		station->dupes++;
		private(rows)->dupes++;
		return DROP(FILTERED);
	}
	station->sequence = sequence;
	station->fragment = fragment;
	return OUTPUT(0);
}
