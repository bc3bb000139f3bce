/* A table whose rows, struct SELF(row), handlers copy and clear (_rows.py); runtime only, and included once for each instance. */
#include <string.h>
#include "common/table.h"

static struct table *SELF(table)(void)
{
	return as_table(private(rows)->table, sizeof(struct SELF(row)), cfg.capacity);
}

/* The row of a key, added if necessary; in a full table it replaces another. NULL if there is no memory. */
static __attribute__((unused)) struct SELF(row) *SELF(row_of)(__u64 key)
{
	return table_admit(SELF(table)(), key, &private(rows)->hand, NULL);
}

/* CLEAR: reset the state, except the count of refused rows. */
CONTROL()
{
	struct table *table = SELF(table)();

	if (op == SELF(CLEAR)) {
		const __u64 refused = table->refused;

		table_clear(table);
		memset(private(rows), 0, sizeof(*private(rows)));
		table->refused = refused;
	} else if (table->count) {
		memcpy((void *)argument, table->entries, (size_t)table->count * table->entry);
	}
	return 0;
}

CLEANUP()
{
	table_clear(SELF(table)());
}
