/* IEEE 802.11 data frames (9.2 and 9.3.2 of the standard), with LLC and SNAP headers (RFC 1042). */
#pragma once

#define WIFI_ADDRESS 6

enum { WIFI_TO_NOBODY = 0, WIFI_TO_ACCESS_POINT = 1, WIFI_FROM_ACCESS_POINT = 2, WIFI_BETWEEN_ACCESS_POINTS = 3 };

#define WIFI_WAY 0x03		/* of `flags`: To DS and From DS */
#define WIFI_PROTECTED 0x40
#define WIFI_DATA 0x08		/* of `control`: type and subtype */
#define WIFI_QOS_DATA 0x88
#define WIFI_KIND 0x8c

struct wifi_header {
	__u8 control, flags;
	__u16 duration;
	__u8 address[3][WIFI_ADDRESS];	/* between access points, a fourth one follows the header */
	__u16 sequence;
};

struct snap_header {
	__u8 llc[6];		/* AA AA 03, and an OUI of 0 */
	__be16 type;
};

static __always_inline bool snap_is_ethernet(const struct snap_header *snap)
{
	return word32(snap->llc) == htonl(0xaaaa0300) && !word16(snap->llc + 4);
}

/* The index of the destination and of the source among a frame's addresses, by its direction. */
static __always_inline __u32 wifi_destination(__u8 way)
{
	return way & WIFI_TO_ACCESS_POINT ? 2 : 0;
}

static __always_inline __u32 wifi_source(__u8 way)
{
	return way == WIFI_BETWEEN_ACCESS_POINTS ? 3 : way == WIFI_FROM_ACCESS_POINT ? 2 : 1;
}
