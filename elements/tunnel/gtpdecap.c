#include "tunnel/gtp.h"

ELEMENT(GTPDecap)
{
	const struct gtp_header *gtp = pkt_data(p, 0, sizeof(*gtp));
	const int length = gtp ? gtp_header_length(p, gtp) : GTP_MALFORMED;
	__be32 teid;

	if (!USERSPACE && length == GTP_LONG)
		return PUNT;
	teid = gtp ? gtp->teid : 0;
	if (length <= 0 || !pkt_pull(p, length))
		return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(MALFORMED);
	pkt_set_anno_u32(p, AGGREGATE_ANNO, ntohl(teid));
	return OUTPUT(0);
}
