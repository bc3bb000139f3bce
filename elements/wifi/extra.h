/* Transmit parameters of a packet, or the wireless device's report on it: Click's struct click_wifi_extra (<clicknet/wifi.h>), in
 * the packet's annotation WIFI_EXTRA or in front of the frame. All numbers are in host byte order.
 */
#pragma once

#define WIFI_EXTRA_ANNO 16
#define WIFI_EXTRA_MAGIC 0x7492001

enum {
	WIFI_EXTRA_TX = 1 << 0,		/* sent by this device */
	WIFI_EXTRA_TX_FAIL = 1 << 1,	/* not acknowledged */
	WIFI_EXTRA_TX_OTHER = 1 << 2,	/* sent at another than the first rate */
	WIFI_EXTRA_RX_ERR = 1 << 3,	/* received with a wrong checksum */
	WIFI_EXTRA_NO_SEQ = 1 << 5,	/* has a sequence number */
	WIFI_EXTRA_RTS_CTS = 1 << 7,	/* use RTS and CTS */
	WIFI_EXTRA_TX_NOACK = 1 << 9,	/* needs no acknowledgement */
};

struct wifi_extra {
	__u32 magic, flags;
	__u8 rssi, silence, power, pad;
	__u8 rate[4];		/* in units of 500 kbit/s */
	__u8 max_tries[4];
	__u8 virtual_collisions, retries;
	__u16 length;
};

_Static_assert(sizeof(struct wifi_extra) == 24, "Click's");

static __always_inline struct wifi_extra *wifi_extra(struct pkt *p)
{
	return (struct wifi_extra *)(p->anno + WIFI_EXTRA_ANNO);
}

/* The structure in front of the frame, or NULL. */
static __always_inline struct wifi_extra *wifi_extra_in_front(struct pkt *p)
{
	struct wifi_extra *extra = pkt_data(p, 0, sizeof(*extra));

	return extra && word32(&extra->magic) == WIFI_EXTRA_MAGIC ? extra : NULL;
}

/* Whether the annotation, or the structure in front of the frame, has one of these flags. */
static __always_inline bool wifi_extra_has(struct pkt *p, __u32 flags)
{
	const struct wifi_extra *extra = wifi_extra(p);

	if (extra->magic == WIFI_EXTRA_MAGIC && extra->flags & flags)
		return true;
	extra = wifi_extra_in_front(p);
	return extra && word32(&extra->flags) & flags;
}
