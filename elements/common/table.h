/* Tables in an element's private state, declared as TABLE in _table.py. */
#ifndef CLICKBPF_COMMON_TABLE_H
#define CLICKBPF_COMMON_TABLE_H

#include "../../userspace/table.h"

_Static_assert(sizeof(struct table) == 4 * sizeof(__u64), "_table.py");

static inline struct table *as_table(__u64 *state, __u32 entry)
{
	struct table *table = (struct table *)state;

	table->entry = entry;
	return table;
}

#endif
