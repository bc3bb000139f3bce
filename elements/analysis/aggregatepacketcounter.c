struct SELF(row) {
	__u64 packet;		/* aggregate and number */
	__u32 counts[SELF(ninputs)];
};

#include "common/rows.inc.h"

static void SELF(count)(struct pkt *p, int column)
{
	__u64 aggregate = pkt_anno_u32(p, AGGREGATE_ANNO);
	__u32 number = cfg.anno < 0 ? 0 : pkt_anno_u32(p, cfg.anno);
	struct SELF(row) *row = aggregate ? table_get(SELF(table)(), aggregate << 32 | number) : NULL;

	if (row)
		row->counts[column]++;
}

ELEMENT(AggregatePacketCounter)
{
	SELF(count)(p, input);
	return OUTPUT(input);
}

PULL()
{
	struct pkt *p = pull(output);

	if (p)
		SELF(count)(p, output);
	return p;
}
