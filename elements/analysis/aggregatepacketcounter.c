/* AggregatePacketCounter: counts packets by aggregate, number and input. */
#include "common/table.h"

struct SELF(row) {
	__u64 packet;		/* aggregate and number */
	__u32 counts[];		/* for each input */
};

static struct table *SELF(table)(void)
{
	return as_table(private(seen)->table, (sizeof(struct SELF(row)) + cfg.columns * sizeof(__u32) + 7) & ~7u, cfg.capacity);
}

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

/* Copy rows out (aggregate, number, counts), or forget them all. */
CONTROL()
{
	const struct table *table = SELF(table)();
	__u32 *to = (__u32 *)argument;

	if (op == SELF(CLEAR)) {
		table_clear(SELF(table)());
		return 0;
	}
	for (__u32 i = 0; i < table->count; i++) {
		const struct SELF(row) *row = table_entry(table, i);

		*to++ = row->packet >> 32;
		*to++ = row->packet;
		for (int column = 0; column < cfg.columns; column++)
			*to++ = row->counts[column];
	}
	return 0;
}

CLEANUP()
{
	table_clear(SELF(table)());
}
