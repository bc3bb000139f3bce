#include "common/link.h"

/* Packets arrive with device, type and MAC header annotations set; those of L3 devices with a network header instead. */
ELEMENT(FromDevice)
{
	const __u32 length = pkt_len(p);

	count(counters, count, pkt_packets(p));
	if (cfg.cut != 0xffffffff && length > cfg.cut && pkt_trim(p, cfg.cut))
		pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, pkt_anno_u32(p, EXTRA_LENGTH_ANNO) + length - cfg.cut);
	if (cfg.force_ip && !mark_ip(p, device_is_l3(self_device()) ? 0 : ether_ip_offset(p)))
		return OUTPUT(1);
	return OUTPUT(0);
}
