#include "common/table.h"

#define MOST (1u << 20)		/* the most sources: senders can choose any */

struct SELF(row) {
	__u64 source;
	__u64 packets;
};

static struct table *SELF(table)(void)
{
	return as_table(private(seen)->table, sizeof(struct SELF(row)), MOST);
}

ELEMENT(EtherCount)
{
	const struct ethhdr *eth = pkt_data(p, 0, sizeof(*eth));
	struct SELF(row) *row;
	__u64 source = 0;

	(void)input;
	if (!eth)
		return OUTPUT(0);
	__builtin_memcpy(&source, eth->h_source, ETH_ALEN);
	row = table_get(SELF(table)(), source);
	if (row)
		row->packets++;
	return OUTPUT(0);
}

/* Copy rows out, or forget them. */
CONTROL()
{
	const struct table *table = SELF(table)();

	if (op == SELF(CLEAR))
		table_clear(SELF(table)());
	else if (table->count)
		__builtin_memcpy((void *)argument, table_entry(table, 0), table->count * sizeof(struct SELF(row)));
	return 0;
}

CLEANUP()
{
	table_clear(SELF(table)());
}

#undef MOST
