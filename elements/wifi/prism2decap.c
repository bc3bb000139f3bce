#include "wifi/extra.h"

/* The header of linux-wlan-ng: its code, its length, the device's name, and ten items of a number, a status, a length and a value each. All
 * numbers are in the byte order of the machine that wrote it.
 */
#define PRISM_SNIFFED 0x44	/* the code */

enum { SELF(HOST_TIME), SELF(MAC_TIME), SELF(CHANNEL), SELF(RSSI), SELF(QUALITY), SELF(SIGNAL), SELF(NOISE), SELF(RATE), SELF(IS_SENT),
       SELF(LENGTH), SELF(ITEMS) };

struct SELF(header) {
	__u32 code, length;
	__u8 device[16];
	struct {
		__u32 number;
		__u16 status, length;
		__u32 value;
	} item[SELF(ITEMS)];
};

_Static_assert(sizeof(struct SELF(header)) == 144, "linux-wlan-ng's");

ELEMENT(Prism2Decap)
{
	const struct SELF(header) *header = pkt_data(p, 0, sizeof(*header));
	struct wifi_extra *extra = wifi_extra(p);

	if (!header || word32(&header->code) != PRISM_SNIFFED)
		return OUTPUT(0);
	extra->rssi = word32(&header->item[SELF(RSSI)].value);
	extra->silence = word32(&header->item[SELF(NOISE)].value);
	extra->rate[0] = word32(&header->item[SELF(RATE)].value);
	if (word32(&header->item[SELF(IS_SENT)].value))
		extra->flags |= WIFI_EXTRA_TX;
	else
		extra->flags &= ~WIFI_EXTRA_TX;
	pkt_pull(p, sizeof(*header));
	return OUTPUT(0);
}
#undef PRISM_SNIFFED
