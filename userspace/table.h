/* A hash table with 64-bit keys that grows up to a maximum; entries are in the order in which they were added, as long as none is
 * removed. Places are found with the router's hash key, so nobody can choose keys that make searches long. An addition that makes
 * the table grow takes a step for each entry: constant amortised time.
 */
#pragma once

#include "base.h"

/* An empty table is all zero, except `entry`, the bytes of an entry, which begins with its key, and `most`, the maximum number of
 * entries (up to TABLE_MOST).
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

#define TABLE_MOST (1u << 26)

static inline void *table_entry(const struct table *table, __u32 number)
{
	return table->entries + (size_t)number * table->entry;
}

/* The entry of a key, or NULL. Entries move when others are added. */
EXPORT void *table_find(const struct table *table, __u64 key);
/* The same; if there is none, a new entry, zero except for its key. NULL, which is counted, if the table is full or there is no
 * memory.
 */
EXPORT void *table_get(struct table *table, __u64 key);
/* Remove the entry of a key, if there is one; the last entry takes its place. */
EXPORT void table_remove(struct table *table, __u64 key);
/* Remove all entries; the count of refused ones stays. */
EXPORT void table_clear(struct table *table);
