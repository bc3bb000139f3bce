/* Frames encrypted by WEP (IEEE 802.11, 12.3.2): after the header, three bytes of an initialization vector, one byte for the key's
 * number, the body, and its checksum; body and checksum are encrypted by RC4 with vector and key.
 *
 * Runtime only.
 */
#pragma once

#include <string.h>
#include "wifi/frame.h"
#include "wifi/rc4.h"

#define WEP_VECTOR 3
#define WEP_HEADER (WEP_VECTOR + 1)
#define WEP_CHECKSUM 4
#define WEP_LONGEST_KEY 16

/* Initialise RC4 with a vector and a key of at most WEP_LONGEST_KEY bytes. */
static inline void wep_start(struct rc4 *rc4, const __u8 *vector, const __u8 *key, __u32 length)
{
	__u8 whole[WEP_VECTOR + WEP_LONGEST_KEY];

	if (length > WEP_LONGEST_KEY)
		length = WEP_LONGEST_KEY;
	memcpy(whole, vector, WEP_VECTOR);
	memcpy(whole + WEP_VECTOR, key, length);
	rc4_start(rc4, whole, WEP_VECTOR + length);
}
