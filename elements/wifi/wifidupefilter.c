/* WifiDupeFilter: drops 802.11 frames that have arrived before. */
#include "common/table.h"
#include "wifi/wifi.h"

#define CONTROL_FRAME 0x04	/* of the header's `control` */
#define MORE_FRAGMENTS 0x04	/* and of its `flags` */
#define SENT_AGAIN 0x08
#define GROUP 0x01		/* of an address's first byte */
#define FRAGMENT_BITS 4

struct SELF(station) {
	__u64 address;
	__u32 dupes;
	__u16 sequence, fragment;
};

static struct table *SELF(table)(void)
{
	return as_table(private(seen)->table, sizeof(struct SELF(station)), cfg.capacity);
}

/* The transmitter's entry, if need be in the place of another; `known` becomes whether it had one. NULL if there is no memory. */
static struct SELF(station) *SELF(station_of)(const struct wifi_header *wifi, bool *known)
{
	struct SELF(station) *station, *goes;
	__u64 address = 0;

	ether_copy(&address, wifi->address[1]);
	station = table_find(SELF(table)(), address);
	*known = station;
	if (station)
		return station;
	goes = table_turn(SELF(table)(), &private(seen)->hand);
	if (goes)
		table_remove(SELF(table)(), goes->address);
	return table_get(SELF(table)(), address);
}

ELEMENT(WifiDupeFilter)
{
	const struct wifi_header *wifi = pkt_data(p, 0, sizeof(*wifi));
	struct SELF(station) *station;
	__u16 sequence, fragment;
	bool known;

	if (!wifi || wifi->control & CONTROL_FRAME || wifi->address[0][0] & GROUP)
		return OUTPUT(0);
	station = SELF(station_of)(wifi, &known);
	if (!station)
		return OUTPUT(0);
	sequence = wifi->sequence >> FRAGMENT_BITS;
	fragment = wifi->sequence & ((1 << FRAGMENT_BITS) - 1);
	if (known && wifi->flags & SENT_AGAIN && sequence == station->sequence
	    && (!(fragment || wifi->flags & MORE_FRAGMENTS) || fragment <= station->fragment)) {
		station->dupes++;
		private(seen)->dupes++;
		return DROP(FILTERED);
	}
	station->sequence = sequence;
	station->fragment = fragment;
	return OUTPUT(0);
}

CONTROL()
{
	if (op == SELF(CLEAR)) {
		table_clear(SELF(table)());
		private(seen)->dupes = 0;
	} else {
		__builtin_memcpy((void *)argument, SELF(table)()->entries, SELF(table)()->count * sizeof(struct SELF(station)));
	}
	return 0;
}

CLEANUP()
{
	table_clear(SELF(table)());
}

#undef CONTROL_FRAME
#undef MORE_FRAGMENTS
#undef SENT_AGAIN
#undef GROUP
#undef FRAGMENT_BITS
