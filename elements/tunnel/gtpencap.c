#include "tunnel/gtp.h"

ELEMENT(GTPEncap)
{
	const __u32 payload = pkt_len(p);
	struct gtp_header *gtp = pkt_prepend(p, sizeof(*gtp));

	if (!gtp)
		return PUNT;
	gtp_write(gtp, payload, cfg.teid ? cfg.teid : pkt_anno_u32(p, AGGREGATE_ANNO));
	return OUTPUT(0);
}
