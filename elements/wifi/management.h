/* Writing IEEE 802.11 management frames (9.3.3 and 9.4 of the standard), and reading the rates in them.
 *
 * Runtime only.
 */
#pragma once

#include "common/line.h"
#include "ip/ip.h"
#include "wifi/abilities.h"
#include "wifi/extra.h"
#include "wifi/frame.h"
#include "wifi/rates.h"

/* How often an element reports invalid frames: anybody can send them. */
#define WIFI_COMPLAINTS 100

/* More information elements. */
enum { WIFI_TIM = 5 };

/* Bits of the capability field. */
enum { WIFI_ESS = 0x01, WIFI_PRIVACY = 0x10 };

/* The algorithm and transaction sequence numbers of an authentication. */
enum { WIFI_OPEN = 0, WIFI_OPEN_REQUEST = 1, WIFI_OPEN_RESPONSE = 2 };

#define WIFI_RATE_1 2
#define WIFI_RATE_6 12
#define WIFI_LAST_OF_2_4_GHZ 15	/* higher channels are assumed to be in the 5 GHz band */

static const __u8 wifi_everybody[WIFI_ADDRESS] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/* A frame under construction. Writes past the end are dropped; no frame of this family gets that long. */
struct wifi_draft {
	__u32 length;
	__u8 bytes[256];
};

static inline void wifi_put(struct wifi_draft *draft, const void *bytes, __u32 length)
{
	if (length > sizeof(draft->bytes) - draft->length)
		return;
	memcpy(draft->bytes + draft->length, bytes, length);
	draft->length += length;
}

/* Append a two-byte number, little-endian. */
static inline void wifi_put_number(struct wifi_draft *draft, __u16 number)
{
	const __u8 bytes[2] = {number, number >> 8};

	wifi_put(draft, bytes, sizeof(bytes));
}

static inline void wifi_put_element(struct wifi_draft *draft, __u8 kind, const void *bytes, __u8 length)
{
	const __u8 head[2] = {kind, length};

	wifi_put(draft, head, sizeof(head));
	wifi_put(draft, bytes, length);
}

/* Start a frame with its header. */
static inline void wifi_draft(struct wifi_draft *draft, __u8 subtype, const __u8 *to, const __u8 *from, const __u8 *network)
{
	struct wifi_header header = {.control = subtype};

	memcpy(header.address[0], to, WIFI_ADDRESS);
	memcpy(header.address[1], from, WIFI_ADDRESS);
	memcpy(header.address[2], network, WIFI_ADDRESS);
	draft->length = 0;
	wifi_put(draft, &header, sizeof(header));
}

static inline void wifi_put_name(struct wifi_draft *draft, const struct wifi_info *info)
{
	wifi_put_element(draft, WIFI_SSID, info->ssid, info->ssid_length);
}

/* Append at most `most` rates from `first` as an information element. 1 Mbit/s is a basic rate, as is 6 Mbit/s in the 5 GHz band;
 * as in Click, the rate eight places after 6 Mbit/s is marked as well, in the second element.
 */
static inline void wifi_put_rates(struct wifi_draft *draft, const struct wifi_rates *rates, __u8 kind, __u32 first, __u32 most, __s32 channel)
{
	__u8 bytes[WIFI_RATES_KEPT];
	__u32 count = 0;

	for (; count < most && first + count < rates->count; count++) {
		__u8 rate = rates->rate[first + count];
		bool is_basic = rate == WIFI_RATE_1 || (channel > WIFI_LAST_OF_2_4_GHZ && rates->rate[count] == WIFI_RATE_6);

		bytes[count] = is_basic ? rate | WIFI_BASIC : rate;
	}
	if (count || !first)
		wifi_put_element(draft, kind, bytes, count);
}

/* Rates that don't fit into the first element follow in a second one. */
static inline void wifi_put_first_rates(struct wifi_draft *draft, const struct wifi_rates *rates, __s32 channel)
{
	wifi_put_rates(draft, rates, WIFI_RATES, 0, WIFI_RATES_EACH, channel);
}

static inline void wifi_put_more_rates(struct wifi_draft *draft, const struct wifi_rates *rates, __s32 channel)
{
	wifi_put_rates(draft, rates, WIFI_MORE_RATES, WIFI_RATES_EACH, WIFI_MOST_RATES, channel);
}

/* The start of beacons and probe responses: a timestamp that the device fills in, the interval, and the capabilities. */
static inline void wifi_put_beacon(struct wifi_draft *draft, __u16 interval)
{
	static const __u8 time[8];

	wifi_put(draft, time, sizeof(time));
	wifi_put_number(draft, interval);
	wifi_put_number(draft, WIFI_ESS);
}

/* The channel; and the traffic indication map, with no packets for any station. */
static inline void wifi_put_channel(struct wifi_draft *draft, __u8 channel)
{
	static const __u8 waiting[4] = {0, 1, 0, 0};	/* count, period, control, bitmap */

	wifi_put_element(draft, WIFI_CHANNEL, &channel, 1);
	wifi_put_element(draft, WIFI_TIM, waiting, sizeof(waiting));
}

/* Make a packet of the frame; NULL without memory. */
static inline struct pkt *wifi_packet(const struct wifi_draft *draft)
{
	struct pkt *p = pkt_new(PKT_HEADROOM, draft->length);

	if (p)
		memcpy(pkt_data(p, 0, draft->length), draft->bytes, draft->length);
	return p;
}

/* Read the rates of an information element, with their flags. */
static inline void wifi_read_rates(const struct wifi_frame *frame, __u32 at, __u32 most, struct wifi_rates *rates)
{
	const __u32 length = wifi_element_length(frame, at, most);

	for (__u32 i = 0; i < length; i++)
		wifi_add_rate(rates, frame->bytes[at + 2 + i]);
}

/* The rates without their flags. */
static inline struct wifi_rates wifi_plain_rates(const struct wifi_rates *rates)
{
	struct wifi_rates plain = *rates;

	for (__u32 i = 0; i < plain.count; i++)
		plain.rate[i] &= ~WIFI_BASIC;
	return plain;
}

/* Whether a request is for this network, or for any. The information element at `at` (0 for none) has the requested name. */
static inline bool wifi_asks_for(const struct wifi_frame *frame, __u32 at, const __u8 *name, __u32 length)
{
	const __u32 asked = wifi_element_length(frame, at, WIFI_LONGEST_NAME);

	return !asked || (asked == length && !memcmp(frame->bytes + at + 2, name, length));
}
