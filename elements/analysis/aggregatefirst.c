/* AggregateFirst: lets the first packet of each aggregate pass. */
#include "aggregates.h"
#include "common/table.h"

struct SELF(entry) {
	__u64 aggregate;
	bool seen;
};

static struct table *SELF(table)(void)
{
	return as_table(private(seen)->table, sizeof(struct SELF(entry)), cfg.capacity);
}

static struct aggregate_listener *SELF(listener)(void)
{
	_Static_assert(sizeof(struct aggregate_listener) == sizeof(private(seen)->listener), "aggregatefirst.py");
	return (struct aggregate_listener *)private(seen)->listener;
}

/* The number will not come again; if it did, it would belong to another flow. */
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
	if (cfg.listens) {
		SELF(listener)()->is_over = SELF(is_over);
		aggregate_listen(cfg.notifier, SELF(listener)());
	}
	return 0;
}

CLEANUP()
{
	if (cfg.listens)
		aggregate_unlisten(cfg.notifier, SELF(listener)());
	table_clear(SELF(table)());
}
