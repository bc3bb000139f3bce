/* A hash table with 64-bit keys that grows up to a maximum. Until one is removed, entries are in the order of addition. Hashes use
 * the router's secret key, so nobody can choose keys that collide. Addition takes constant amortised time.
 */
#pragma once

#include "base.h"

/* An empty table is all zero, except `entry`, the size of an entry, whose first member is the key, and `most`, the maximum number
 * of entries (up to TABLE_MOST of elements/common/_table.py).
 */
struct table {
	__u32 entry;
	__u32 count;		/* entries */
	__u32 room;
	__u32 most;
	__u32 *index;		/* 2 * room places: number of an entry, from 1, or 0 */
	char *entries;
	__u64 refused;		/* entries refused for lack of room or memory */
};

static inline void *table_entry(const struct table *table, __u32 number)
{
	return table->entries + (size_t)number * table->entry;
}

/* The entry of a key, or NULL. Entries move when others are added. */
EXPORT void *table_find(const struct table *table, __u64 key);
/* The entry of a key, added if there is none: zero except for its key. NULL, counted in `refused`, if the table is full or there is
 * no memory.
 */
EXPORT void *table_get(struct table *table, __u64 key);
/* Remove the entry of a key, if there is one; the last entry takes its place. */
EXPORT void table_remove(struct table *table, __u64 key);
/* Remove all entries; the count of refused ones stays. */
EXPORT void table_clear(struct table *table);
