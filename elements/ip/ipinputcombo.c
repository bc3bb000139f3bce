#include "ip/headercheck.inc.h"

ELEMENT(IPInputCombo)
{
	struct iphdr *ip;
	int mistake = SELF(examine)(p, &ip);

	if (mistake != SELF(NOTHING)) {
		count(counters, drops, pkt_packets(p));
		warn(1, "IP checksum failed");
		return SELF(drop)(mistake);
	}
	SELF(accept)(p, ip);
	pkt_pull(p, cfg.offset);
	pkt_set_anno_u8(p, PAINT_ANNO, cfg.color);
	return OUTPUT(0);
}
