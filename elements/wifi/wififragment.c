#include "wifi/frame.h"

/* Send a packet's fragment `number`: its header, and `length` bytes from `at`. False without memory. */
static bool SELF(send)(struct pkt *p, const struct wifi_header *header, __u32 number, __u32 at, __u32 length)
{
	struct pkt *made = pkt_new(PKT_HEADROOM, sizeof(*header) + length);
	struct wifi_header *mine;

	if (!made)
		return false;
	mine = pkt_data(made, 0, sizeof(*mine) + length);
	*mine = *header;
	mine->sequence = (header->sequence & ~WIFI_FRAGMENT) | (number & WIFI_FRAGMENT);
	if (at + length < pkt_len(p))
		mine->flags |= WIFI_FRAGMENTED;
	memcpy(mine + 1, pkt_data(p, at, length), length);
	emit(made, 0);
	return true;
}

ELEMENT(WifiFragment)
{
	const __u32 end = pkt_len(p);
	struct wifi_header header;

	if (!cfg.mtu || end <= sizeof(header) || end - sizeof(header) <= cfg.mtu)
		return OUTPUT(0);
	memcpy(&header, pkt_data(p, 0, sizeof(header)), sizeof(header));
	for (__u32 number = 0, at = sizeof(header); at < end; number++, at += cfg.mtu) {
		if (!SELF(send)(p, &header, number, at, end - at < cfg.mtu ? end - at : cfg.mtu))
			return DROP(NO_MEMORY);
	}
	pkt_free(p);
	return STOLEN;
}
