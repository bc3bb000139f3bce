/* IEEE 802.11 frames of all types, and the information elements in management frames (9.2, 9.3 and 9.4 of the standard). Bytes past
 * a frame's end read as 0. Numbers are little-endian.
 *
 * Runtime only.
 */
#pragma once

#include <stdio.h>
#include <string.h>
#include "wifi/wifi.h"

/* Fields of `control`. */
#define WIFI_TYPE 0x0c
#define WIFI_SUBTYPE 0xf0
enum { WIFI_TYPE_MANAGEMENT = 0x00, WIFI_TYPE_CONTROL = 0x04, WIFI_TYPE_DATA = 0x08 };

/* Subtypes of management frames, and of control frames. */
enum {
	WIFI_ASSOCIATION_REQUEST = 0x00,
	WIFI_ASSOCIATION_RESPONSE = 0x10,
	WIFI_REASSOCIATION_REQUEST = 0x20,
	WIFI_REASSOCIATION_RESPONSE = 0x30,
	WIFI_PROBE_REQUEST = 0x40,
	WIFI_PROBE_RESPONSE = 0x50,
	WIFI_BEACON = 0x80,
	WIFI_ATIM = 0x90,
	WIFI_DISASSOCIATION = 0xa0,
	WIFI_AUTHENTICATION = 0xb0,
	WIFI_DEAUTHENTICATION = 0xc0,
	WIFI_FIRST_CONTROL = 0xa0,
	WIFI_ACKNOWLEDGEMENT = 0xd0,
};

/* Bits of `flags`, besides those in wifi.h. */
#define WIFI_FRAGMENTED 0x04
#define WIFI_RETRY 0x08

#define WIFI_FRAGMENT_BITS 4	/* of `sequence`: the fragment number; the sequence number is above */
#define WIFI_FRAGMENT ((1 << WIFI_FRAGMENT_BITS) - 1)

/* Information elements: a byte for the ID, one for the length, and as many more bytes. */
enum { WIFI_SSID = 0, WIFI_RATES = 1, WIFI_CHANNEL = 3, WIFI_MORE_RATES = 50 };

#define WIFI_BODY 24		/* the offset of a management frame's body */
#define WIFI_LONGEST_NAME 32
#define WIFI_RATES_EACH 8		/* in one information element */
#define WIFI_MOST_RATES 15	/* in one, of drivers that don't use WIFI_MORE_RATES */
#define WIFI_BASIC 0x80		/* of a rate */
#define WIFI_RATE_5_5 11	/* units of 500 kbit/s */

struct wifi_frame {
	struct wifi_header header;
	const __u8 *bytes;
	__u32 length;
};

static inline struct wifi_frame wifi_frame_of(struct pkt *p)
{
	struct wifi_frame frame = {.length = pkt_len(p)};

	frame.bytes = pkt_data(p, 0, frame.length);
	memcpy(&frame.header, frame.bytes, frame.length < sizeof(frame.header) ? frame.length : sizeof(frame.header));
	return frame;
}

static inline __u8 wifi_byte(const struct wifi_frame *frame, __u32 at)
{
	return at < frame->length ? frame->bytes[at] : 0;
}

static inline __u16 wifi_word(const struct wifi_frame *frame, __u32 at)
{
	return wifi_byte(frame, at) | wifi_byte(frame, at + 1) << 8;
}

/* The offset of the last information element of a kind, searching from the one at `at`; 0 if there is none. */
static inline __u32 wifi_element(const struct wifi_frame *frame, __u32 at, __u8 kind)
{
	__u32 found = 0;

	for (; at < frame->length; at += 2 + wifi_byte(frame, at + 1)) {
		if (frame->bytes[at] == kind)
			found = at;
	}
	return found;
}

/* The length of the information element at `at` (0 for none), limited to the frame and to `most`. */
static inline __u32 wifi_element_length(const struct wifi_frame *frame, __u32 at, __u32 most)
{
	__u32 length = at ? wifi_byte(frame, at + 1) : 0;
	__u32 there = frame->length > at + 2 ? frame->length - at - 2 : 0;

	length = length < there ? length : there;
	return length < most ? length : most;
}

/* Print a network's name, with dots for characters that could control a terminal. */
static inline void wifi_print_name(FILE *to, const __u8 *name, __u32 length)
{
	for (__u32 i = 0; i < length; i++)
		fputc(name[i] < ' ' || name[i] > '~' ? '.' : name[i], to);
}

/* Print the name in the information element at `at`. */
static inline void wifi_print_named(FILE *to, const struct wifi_frame *frame, __u32 at)
{
	wifi_print_name(to, frame->bytes + at + 2, wifi_element_length(frame, at, WIFI_LONGEST_NAME));
}
