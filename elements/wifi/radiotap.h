/* Radiotap headers, in front of the frames of monitoring devices (radiotap.org): version, length and a bitmap of the fields that
 * follow; a word with its last bit set is followed by another. Numbers are little-endian, and fields are aligned from the header's
 * start.
 */
#pragma once

enum {
	RADIOTAP_FLAGS = 1,
	RADIOTAP_RATE = 2,
	RADIOTAP_DBM_SIGNAL = 5,
	RADIOTAP_DBM_NOISE = 6,
	RADIOTAP_DBM_POWER = 10,
	RADIOTAP_DB_SIGNAL = 12,
	RADIOTAP_DB_NOISE = 13,
	RADIOTAP_RX_FLAGS = 14,
	RADIOTAP_TX_FLAGS = 15,
	RADIOTAP_RETRIES = 17,
	RADIOTAP_KNOWN = 22,	/* the number of fields with a known size and alignment */
	RADIOTAP_MORE = 31,
};

/* Bits of RADIOTAP_FLAGS, RADIOTAP_RX_FLAGS and RADIOTAP_TX_FLAGS. */
#define RADIOTAP_HAS_CHECKSUM 0x10
#define RADIOTAP_IS_PADDED 0x20
#define RADIOTAP_RX_BAD 0x0001
#define RADIOTAP_TX_FAILED 0x0001
#define RADIOTAP_TX_NOACK 0x0008

struct radiotap_header {
	__u8 version, pad;
	__u16 length;
	__u32 present;
};
