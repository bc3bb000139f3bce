/* A hash table that grows up to a number of entries: by a 64-bit key, in the order in which they were added, as long as none is taken
 * out. Places are found by the router's hash key, so nobody can choose keys that make searches long; one that makes the table
 * grow costs a step for each entry, which the entries before it have paid for.
 */
#ifndef CLICKBPF_TABLE_H
#define CLICKBPF_TABLE_H

#include "base.h"

/* All zero is an empty table, but for `entry`, bytes of an entry, which begins with its key, and `most`, how many it may have (up to
 * TABLE_MOST).
 */
struct table {
	__u32 entry;
	__u32 count;		/* entries */
	__u32 room;
	__u32 most;
	__u32 *index;		/* 2 * room places: number of an entry, from 1, or 0 */
	char *entries;
	__u64 refused;		/* how often there was no room, or no memory, for another entry */
};

#define TABLE_MOST (1u << 26)

static inline void *table_entry(const struct table *table, __u32 number)
{
	return table->entries + (size_t)number * table->entry;
}

/* The entry of a key, or NULL. Entries move when others are added. */
EXPORT void *table_find(const struct table *table, __u64 key);
/* The same; if there is none, a new one that is zero but for its key. NULL, which is counted, if the table is full or there is no
 * memory.
 */
EXPORT void *table_get(struct table *table, __u64 key);
/* Take out the entry of a key, if there is one; the last one gets its place among the entries. */
EXPORT void table_remove(struct table *table, __u64 key);
/* Forget all entries, but not what was refused. */
EXPORT void table_clear(struct table *table);

#endif
