#include "tunnel/gtp.h"

ELEMENT(GTPEncap)
{
	const __u32 payload = pkt_len(p);
	struct gtp_header *gtp;

	if (!pkt_push(p, sizeof(*gtp)))
		return PUNT;
	gtp = pkt_data(p, 0, sizeof(*gtp));
	if (!gtp)
		return DROP(NO_HEADROOM);
	gtp_write(gtp, payload, cfg.teid ? cfg.teid : pkt_anno_u32(p, AGGREGATE_ANNO));
	return OUTPUT(0);
}
