/* The header that linux-wlan-ng puts in front of frames: a code, the length, the device's name, and ten items, each with a number,
 * a status, a length and a value. All numbers are in the writer's byte order.
 */
#pragma once

#define PRISM_SNIFFED 0x44	/* the code */

enum {
	PRISM_HOST_TIME, PRISM_MAC_TIME, PRISM_CHANNEL, PRISM_RSSI, PRISM_QUALITY, PRISM_SIGNAL, PRISM_NOISE, PRISM_RATE, PRISM_IS_SENT,
	PRISM_LENGTH, PRISM_ITEMS
};

struct prism_header {
	__u32 code, length;
	__u8 device[16];
	struct {
		__u32 number;
		__u16 status, length;
		__u32 value;
	} item[PRISM_ITEMS];
};

_Static_assert(sizeof(struct prism_header) == 144, "linux-wlan-ng's");
