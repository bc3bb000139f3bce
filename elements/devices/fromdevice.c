#include "common/link.h"

/* Packets come with their device, type and MAC header annotations set. */
ELEMENT(FromDevice)
{
	count(counters, count, pkt_packets(p));
	if (cfg.cut != 0xffffffff && pkt_len(p) > cfg.cut)
		pkt_trim(p, cfg.cut);
	if (cfg.force_ip && !mark_ip(p, ether_ip_offset(p)))
		return OUTPUT(1);
	return OUTPUT(0);
}
