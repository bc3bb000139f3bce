#include <errno.h>
#include "common/table.h"


struct SELF(entry) {
	__u64 aggregate;
	__u32 count;
};

static struct table *SELF(table)(struct SELF(counts) *c)
{
	return as_table(c->table, sizeof(struct SELF(entry)), cfg.capacity);
}

/* A limit is reached: never again, unless it is set anew. */
static void SELF(reach)(struct SELF(counts) *c, int what)
{
	c->limit[what] = ~0ull;
	switch (c->action[what]) {
	case SELF(FREEZE):
		c->frozen = true;
		break;
	case SELF(STOP):
		c->active = false;
		driver_stop();
		break;
	case SELF(CALL):
		call_python(what);
	}
}

/* The aggregate's entry; without one if it has none and none may be made. */
static struct SELF(entry) *SELF(find)(struct SELF(counts) *c, __u32 aggregate, bool frozen)
{
	struct SELF(entry) *entry;

	if (!frozen)
		return table_get(SELF(table)(c), aggregate);
	entry = table_find(SELF(table)(c), aggregate);
	return entry && entry->count ? entry : NULL;
}

static __u32 SELF(amount)(struct pkt *p)
{
	__u32 amount;

	if (!cfg.bytes)
		return 1 + (cfg.multipacket ? pkt_anno_u32(p, EXTRA_PACKETS_ANNO) : 0);
	amount = pkt_len(p) + (cfg.extra_length ? pkt_anno_u32(p, EXTRA_LENGTH_ANNO) : 0);
	if (cfg.ip_bytes && pkt_has_network_header(p))
		amount -= pkt_network_offset(p);
	return amount;
}

/* Count the packet; false if it isn't to be counted. */
static bool SELF(update)(struct SELF(counts) *c, struct pkt *p, bool frozen)
{
	__u32 amount = SELF(amount)(p), aggregate = pkt_anno_u32(p, AGGREGATE_ANNO);
	struct SELF(entry) *entry;

	for (;;) {
		entry = c->active ? SELF(find)(c, aggregate, frozen || c->frozen) : NULL;
		if (!entry)
			return false;
		if (!amount || entry->count || c->nonzero < c->limit[SELF(AGGREGATES)])
			break;
		SELF(reach)(c, SELF(AGGREGATES));
	}
	if (amount && !entry->count)
		c->nonzero++;
	entry->count += amount;
	c->count += amount;
	if (c->count >= c->limit[SELF(COUNT)])
		SELF(reach)(c, SELF(COUNT));
	return true;
}

ELEMENT(AggregateCounter)
{
	bool counted = SELF(update)(private(counts), p, input == 1);

	return OUTPUT(counted || !output_is_connected(1) ? 0 : 1);
}

PULL()
{
	struct pkt *p = pull(output);

	if (p)
		SELF(update)(private(counts), p, output == 1);
	return p;
}

static void SELF(copy)(const struct table *table, __u32 *pairs)
{
	for (__u32 i = 0; i < table->count; i++) {
		struct SELF(entry) *entry = table_entry(table, i);

		*pairs++ = entry->aggregate;
		*pairs++ = entry->count;
	}
}

static void SELF(forget)(struct SELF(counts) *c)
{
	table_clear(SELF(table)(c));
	c->nonzero = 0;
	c->count = 0;
}

/* Counts become aggregates. */
static int SELF(reaggregate)(struct SELF(counts) *c)
{
	struct table old = *SELF(table)(c);
	int error = 0;

	*SELF(table)(c) = (struct table){.refused = old.refused};
	SELF(forget)(c);
	for (__u32 i = 0; i < old.count && !error; i++) {
		struct SELF(entry) *entry = table_entry(&old, i), *now = NULL;

		if (entry->count)
			now = SELF(find)(c, entry->count, false);
		else
			continue;
		if (!now)
			error = -ENOMEM;
		else if (!now->count++)
			c->nonzero++;
		c->count += !error;
	}
	table_clear(&old);
	return error;
}

CONTROL()
{
	struct SELF(counts) *c = private(counts);

	switch (op) {
	case SELF(COPY):
		SELF(copy)(SELF(table)(c), (__u32 *)argument);
		return 0;
	case SELF(CLEAR):
		SELF(forget)(c);
		return 0;
	}
	return SELF(reaggregate)(c);
}

CLEANUP()
{
	table_clear(SELF(table)(private(counts)));
}
