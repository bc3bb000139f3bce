#include "common/listening.inc.h"
#include "common/table.h"

struct SELF(entry) {
	__u64 aggregate;
	bool seen;
};

static struct table *SELF(table)(void)
{
	return as_table(private(seen)->table, sizeof(struct SELF(entry)), cfg.capacity);
}

/* The flow is over: its number won't be used again, or only for another flow. */
static void SELF(is_over)(__u32 aggregate)
{
	table_remove(SELF(table)(), aggregate);
}

ELEMENT(AggregateFirst)
{
	struct SELF(entry) *entry = table_get(SELF(table)(), pkt_anno_u32(p, AGGREGATE_ANNO));

	if (!entry || entry->seen)
		return OUTPUT(1);
	entry->seen = true;
	return OUTPUT(0);
}

INIT()
{
	SELF(listen)(SELF(is_over));
	return 0;
}

CLEANUP()
{
	SELF(unlisten)();
	table_clear(SELF(table)());
}
