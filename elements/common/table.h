/* Tables in an element's private state, declared as TABLE in _table.py. */
#pragma once

#include "../../userspace/table.h"

_Static_assert(sizeof(struct table) == 5 * sizeof(__u64), "_table.py");

static inline struct table *as_table(__u64 *state, __u32 entry, __u32 most)
{
	struct table *table = (struct table *)state;

	table->entry = entry;
	table->most = most;
	return table;
}

/* The entry to replace by a new one, in turn (as a clock hand moves); NULL as long as there is room. */
static inline void *table_turn(const struct table *table, __u32 *hand)
{
	if (table->count < table->most)
		return NULL;
	*hand = (*hand + 1) % table->count;
	return table_entry(table, *hand);
}

/* The entry of a key, added if necessary. In a full table it replaces another entry, for which `leaves`, unless NULL, is called
 * first. NULL if there is no memory.
 */
static inline void *table_admit(struct table *table, __u64 key, __u32 *hand, void (*leaves)(void *entry))
{
	void *entry = table_find(table, key), *goes = entry ? NULL : table_turn(table, hand);

	if (goes && leaves)
		leaves(goes);
	if (goes)
		table_remove(table, *(const __u64 *)goes);
	return entry ? entry : table_get(table, key);
}
