#include <stdlib.h>
#include "common/listening.inc.h"
#include "common/table.h"
#include "timestamps/timestamps.h"

struct SELF(entry) {
	__u64 aggregate;
	struct pkt *last;
};

static struct table *SELF(table)(void)
{
	return as_table(private(kept)->table, sizeof(struct SELF(entry)), cfg.capacity);
}

static void SELF(is_over)(__u32 aggregate)
{
	struct SELF(entry) *entry = table_find(SELF(table)(), aggregate);
	struct pkt *p = entry ? entry->last : NULL;

	if (!p)
		return;
	table_remove(SELF(table)(), aggregate);
	emit(p, 0);
}

static int SELF(compare)(const void *one, const void *other)
{
	__u64 a = *(const __u64 *)one, b = *(const __u64 *)other;

	return a < b ? -1 : a > b;
}

/* Emit the packets in the order of their aggregates' numbers. Packets that return meanwhile go into the new table. */
static void SELF(clear)(void)
{
	struct table table = *SELF(table)();

	private(kept)->clearing = false;
	*SELF(table)() = (struct table){.refused = table.refused};
	if (table.count)
		qsort(table.entries, table.count, table.entry, SELF(compare));
	for (__u32 i = 0; i < table.count; i++) {
		struct SELF(entry) *entry = table_entry(&table, i);

		if (entry->last)
			emit(entry->last, 0);
	}
	table_clear(&table);
	if (cfg.stop_after_clear)
		driver_stop();
}

/* Add the counts of an aggregate's earlier packets to its latest packet. */
static void SELF(follow)(struct pkt *p, struct pkt *last)
{
	pkt_set_anno_u32(p, EXTRA_PACKETS_ANNO, pkt_anno_u32(p, EXTRA_PACKETS_ANNO) + 1 + pkt_anno_u32(last, EXTRA_PACKETS_ANNO));
	pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO,
			 pkt_anno_u32(p, EXTRA_LENGTH_ANNO) + pkt_len(last) + pkt_anno_u32(last, EXTRA_LENGTH_ANNO));
	*pkt_first_timestamp(p) = *pkt_first_timestamp(last);
}

/* End another aggregate if the table is full. */
static void SELF(make_room)(__u32 aggregate)
{
	struct SELF(kept) *k = private(kept);
	struct SELF(entry) *goes = table_find(SELF(table)(), aggregate) ? NULL : table_turn(SELF(table)(), &k->hand);

	if (!goes)
		return;
	k->evicted++;
	SELF(is_over)(goes->aggregate);
}

ELEMENT(AggregateLast)
{
	struct SELF(entry) *entry;
	struct pkt *last;

	if (private(kept)->clearing)
		SELF(clear)();
	SELF(make_room)(pkt_anno_u32(p, AGGREGATE_ANNO));
	entry = table_get(SELF(table)(), pkt_anno_u32(p, AGGREGATE_ANNO));
	if (!entry)
		return DROP(NO_MEMORY);
	last = entry->last;
	entry->last = p;
	if (last) {
		SELF(follow)(p, last);
		emit(last, 1);
	} else {
		*pkt_first_timestamp(p) = p->timestamp;
	}
	return STOLEN;
}

TASK()
{
	bool clearing = private(kept)->clearing;

	if (clearing)
		SELF(clear)();
	return clearing;
}

INIT()
{
	SELF(listen)(SELF(is_over));
	return 0;
}

CONTROL()
{
	private(kept)->clearing = true;
	task_schedule();
	return 0;
}

CLEANUP()
{
	const struct table *table = SELF(table)();

	SELF(unlisten)();
	for (__u32 i = 0; i < table->count; i++) {
		struct SELF(entry) *entry = table_entry(table, i);

		if (entry->last)
			pkt_free(entry->last);
	}
	table_clear(SELF(table)());
}
