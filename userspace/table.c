/* The hash table of 64-bit keys: growing, finding, clearing. */
#include "table.h"
#include <stdlib.h>
#include <string.h>
#include "runtime_element.h"
#include "siphash.h"

#define ROOM_MIN 64

static __u64 key_of(const struct table *table, __u32 number)
{
	return *(__u64 *)table_entry(table, number);
}

/* The place in the index where the key's number is or belongs. Linear probing: at most half of the places are in use, and nobody
 * can predict which, so a search takes about three steps on average (Knuth, 6.4) whatever the keys.
 */
static __u32 *place(const struct table *table, __u64 key)
{
	__u32 mask = 2 * table->room - 1, at = siphash13(hash_key(), key) & mask;

	while (table->index[at] && key_of(table, table->index[at] - 1) != key)
		at = (at + 1) & mask;
	return &table->index[at];
}

static bool grow(struct table *table)
{
	__u32 room = table->room ? 2 * table->room : ROOM_MIN;
	void *entries = realloc(table->entries, (size_t)room * table->entry);
	__u32 *index;

	if (!entries)
		return false;
	table->entries = entries;
	index = calloc(2 * (size_t)room, sizeof(*index));
	if (!index)
		return false;
	free(table->index);
	table->index = index;
	table->room = room;
	for (__u32 i = 0; i < table->count; i++)
		*place(table, key_of(table, i)) = i + 1;
	return true;
}

void *table_find(const struct table *table, __u64 key)
{
	__u32 *at = table->room ? place(table, key) : NULL;

	return at && *at ? table_entry(table, *at - 1) : NULL;
}

void *table_get(struct table *table, __u64 key)
{
	void *entry = table_find(table, key);

	if (entry)
		return entry;
	if (table->count >= table->most || (table->count == table->room && !grow(table))) {
		table->refused++;
		return NULL;
	}
	entry = table_entry(table, table->count);
	memset(entry, 0, table->entry);
	*(__u64 *)entry = key;
	*place(table, key) = ++table->count;
	return entry;
}

/* Close the gap at a place: move numbers after it, up to the next gap, whose search would end at the gap (Knuth, 6.4, algorithm R). */
static void close_gap(const struct table *table, __u32 gap)
{
	const __u32 mask = 2 * table->room - 1;

	for (__u32 at = (gap + 1) & mask; table->index[at]; at = (at + 1) & mask) {
		const __u32 first = siphash13(hash_key(), key_of(table, table->index[at] - 1)) & mask;

		if (((at - first) & mask) < ((at - gap) & mask))
			continue;
		table->index[gap] = table->index[at];
		gap = at;
	}
	table->index[gap] = 0;
}

void table_remove(struct table *table, __u64 key)
{
	__u32 *at = table->room ? place(table, key) : NULL, number;

	if (!at || !*at)
		return;
	number = *at - 1;
	*place(table, key_of(table, --table->count)) = number + 1;
	memmove(table_entry(table, number), table_entry(table, table->count), table->entry);
	close_gap(table, at - table->index);
}

void table_clear(struct table *table)
{
	free(table->index);
	free(table->entries);
	*table = (struct table){.entry = table->entry, .most = table->most, .refused = table->refused};
}
