#include "wifi/extra.h"
#include "wifi/radiotap.h"

/* The sizes and alignments of the known fields. */
static const struct {
	__u8 size, align;
} SELF(fields)[RADIOTAP_KNOWN] = {
	{ 8, 8 }, { 1, 1 }, { 1, 1 }, { 4, 2 }, { 2, 2 }, { 1, 1 }, { 1, 1 }, { 2, 2 }, { 2, 2 }, { 2, 2 }, { 1, 1 },
	{ 1, 1 }, { 1, 1 }, { 1, 1 }, { 2, 2 }, { 2, 2 }, { 1, 1 }, { 1, 1 }, { 8, 4 }, { 3, 1 }, { 8, 4 }, { 12, 2 },
};

/* The offset of the first field, after all words of the bitmap; 0 if these are truncated. */
static __u32 SELF(skip_words)(struct pkt *p, __u32 length)
{
	for (__u32 at = offsetof(struct radiotap_header, present); at + sizeof(__u32) <= length; at += sizeof(__u32)) {
		const __u32 *word = pkt_data(p, at, sizeof(*word));

		if (!word)
			return 0;
		if (!(word32(word) >> RADIOTAP_MORE))
			return at + sizeof(__u32);
	}
	return 0;
}

/* Find the offset of each field, 0 for missing ones; false if the header is too short for its fields. */
static bool SELF(locate)(struct pkt *p, const struct radiotap_header *header, __u32 *fields)
{
	__u32 length = word16(&header->length), at = SELF(skip_words)(p, length);

	if (!at || length > pkt_len(p))
		return false;
	for (int i = 0; i < RADIOTAP_KNOWN; i++) {
		fields[i] = 0;
		if (!(word32(&header->present) >> i & 1))
			continue;
		at = (at + SELF(fields)[i].align - 1) / SELF(fields)[i].align * SELF(fields)[i].align;
		fields[i] = at;
		at += SELF(fields)[i].size;
	}
	return at <= length;
}

static __u8 SELF(byte)(struct pkt *p, __u32 at)
{
	const __u8 *byte = at ? pkt_data(p, at, sizeof(*byte)) : NULL;

	return byte ? *byte : 0;
}

/* A level in dB or else in dBm. */
static __u8 SELF(level)(struct pkt *p, __u32 dbm, __u32 db)
{
	return SELF(byte)(p, db ? db : dbm);
}

/* Set the annotation by the fields. The relevant flags are in the first bytes of their fields. */
static void SELF(translate)(struct pkt *p, const __u32 *fields, struct wifi_extra *extra)
{
	*extra = (struct wifi_extra){
		.magic = WIFI_EXTRA_MAGIC,
		.pad = !!(SELF(byte)(p, fields[RADIOTAP_FLAGS]) & RADIOTAP_IS_PADDED),
		.rate = { SELF(byte)(p, fields[RADIOTAP_RATE]) },
		.rssi = SELF(level)(p, fields[RADIOTAP_DBM_SIGNAL], fields[RADIOTAP_DB_SIGNAL]),
		.silence = SELF(level)(p, fields[RADIOTAP_DBM_NOISE], fields[RADIOTAP_DB_NOISE]),
		.retries = SELF(byte)(p, fields[RADIOTAP_RETRIES]),
	};
	if (SELF(byte)(p, fields[RADIOTAP_RX_FLAGS]) & RADIOTAP_RX_BAD)
		extra->flags |= WIFI_EXTRA_RX_ERR;
	if (fields[RADIOTAP_TX_FLAGS])
		extra->flags |= WIFI_EXTRA_TX;
	if (SELF(byte)(p, fields[RADIOTAP_TX_FLAGS]) & RADIOTAP_TX_FAILED)
		extra->flags |= WIFI_EXTRA_TX_FAIL;
}

ELEMENT(RadiotapDecap)
{
	const struct radiotap_header *header = pkt_data(p, 0, sizeof(*header));
	__u32 fields[RADIOTAP_KNOWN], length;
	bool has_checksum;

	if (!header || header->version || !SELF(locate)(p, header, fields))
		return OUTPUT(0);
	SELF(translate)(p, fields, wifi_extra(p));
	has_checksum = SELF(byte)(p, fields[RADIOTAP_FLAGS]) & RADIOTAP_HAS_CHECKSUM;
	length = word16(&header->length);
	if (!pkt_pull(p, length))
		return DROP(MALFORMED);
	if (has_checksum)
		pkt_trim(p, pkt_len(p) < 4 ? 0 : pkt_len(p) - 4);
	pkt_set_mac_header(p, 0);
	return OUTPUT(0);
}
