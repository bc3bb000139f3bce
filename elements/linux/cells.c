/* Writing the trie of routes (cells.h). */
#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>
#include "routestructures.h"
#include "linux/cells.h"

#define CHUNK 0x80000000u
#define CHUNK_CELLS 256
#define ROOT_CHUNKS 256
#define REST 100000000ll	/* ns; a lookup takes less than a microsecond, unless its thread is preempted */

static __u32 rank_of(__u32 cell)
{
	return cell >> HOP_BITS;
}

static __u32 *inside(const struct cells *t, __u32 cell)
{
	return t->cell + (size_t)(cell ^ CHUNK) * CHUNK_CELLS;
}

static void write_cell(__u32 *cell, __u32 value)
{
	__atomic_store_n(cell, value, __ATOMIC_RELEASE);
}

static void rest(struct cells *t, __u32 chunk, __s64 since)
{
	t->resting[(t->first + t->count++) % t->chunks] = (struct cells_rest){ since, chunk };
}

static void mark_used(struct cells *t, __u8 *used, const __u32 *cell, __u32 count)
{
	for (__u32 i = 0; i < count; i++)
		if (cell[i] & CHUNK && (cell[i] ^ CHUNK) < t->chunks && !used[cell[i] ^ CHUNK]) {
			used[cell[i] ^ CHUNK] = 1;
			mark_used(t, used, inside(t, cell[i]), CHUNK_CELLS);
		}
}

int cells_open(struct cells *t, __u32 *cell, __u32 chunks)
{
	__u8 *used = calloc(chunks, 1);

	*t = (struct cells){ .cell = cell, .chunks = chunks, .fresh = ROOT_CHUNKS };
	t->resting = calloc(chunks, sizeof(*t->resting));
	if (!used || !t->resting) {
		free(used);
		cells_close(t);
		return -ENOMEM;
	}
	mark_used(t, used, cell, ROOT_CHUNKS * CHUNK_CELLS);
	for (__u32 i = ROOT_CHUNKS; i < chunks; i++)
		if (used[i])
			t->fresh = i + 1;
	for (__u32 i = ROOT_CHUNKS; i < t->fresh; i++)
		if (!used[i])
			rest(t, i, 0);
	free(used);
	return 0;
}

void cells_close(struct cells *t)
{
	free(t->resting);
	t->resting = NULL;
}

/* An unused chunk, or 0. */
static __u32 take(struct cells *t, __s64 time)
{
	const struct cells_rest *oldest = t->resting + t->first;

	if (t->count && time - oldest->since > REST) {
		t->first = (t->first + 1) % t->chunks;
		t->count--;
		return oldest->chunk;
	}
	return t->fresh < t->chunks ? t->fresh++ : 0;
}

static void fill(struct cells *t, __u32 *cell, __u32 count, __u32 rank, __u32 value)
{
	for (__u32 i = 0; i < count; i++)
		if (cell[i] & CHUNK)
			fill(t, inside(t, cell[i]), CHUNK_CELLS, rank, value);
		else if (rank_of(cell[i]) <= rank)
			write_cell(&cell[i], value);
}

bool cells_set(struct cells *t, const __u8 *address, __u32 length, __u32 rank, __u32 value, __s64 time)
{
	__u32 *cell = t->cell + (address[0] << 8 | address[1]), last = 16;

	for (; length > last; last += 8) {
		if (!(*cell & CHUNK)) {
			const __u32 chunk = take(t, time);

			if (!chunk) {
				write_cell(cell, cells_value(CELLS_RANK_STUCK, HOP_LINUX));
				return false;
			}
			for (int i = 0; i < CHUNK_CELLS; i++)
				inside(t, CHUNK | chunk)[i] = *cell;
			write_cell(cell, CHUNK | chunk);
		}
		cell = inside(t, *cell) + address[last / 8];
	}
	fill(t, cell, 1u << (last - length), rank, value);
	return true;
}

/* Whether all cells of a chunk are equal, with a prefix that covers the chunk. */
static bool is_even(const __u32 *cell, __u32 length)
{
	return !(*cell & CHUNK) && rank_of(*cell) % CELLS_RANK_FIRST <= length && !memcmp(cell, cell + 1, (CHUNK_CELLS - 1) * sizeof(*cell));
}

void cells_join(struct cells *t, const __u8 *address, __u32 length, __s64 time)
{
	__u32 *way[15], depth = 0;

	way[0] = t->cell + (address[0] << 8 | address[1]);
	for (__u32 last = 16; length > last && *way[depth] & CHUNK; last += 8, depth++)
		way[depth + 1] = inside(t, *way[depth]) + address[last / 8];
	while (depth--) {
		const __u32 old = *way[depth];

		if (!is_even(inside(t, old), 16 + 8 * depth))
			return;
		write_cell(way[depth], *inside(t, old));
		rest(t, old ^ CHUNK, time);
	}
}

static void free_all(struct cells *t, __u32 chunk, __s64 time)
{
	for (int i = 0; i < CHUNK_CELLS; i++)
		if (inside(t, chunk)[i] & CHUNK)
			free_all(t, inside(t, chunk)[i], time);
	rest(t, chunk ^ CHUNK, time);
}

/* The value for a cell of `t` to be equivalent to a cell of `from`. */
static __u32 copy(struct cells *t, const struct cells *from, __u32 cell, __s64 time)
{
	__u32 chunk;

	if (!(cell & CHUNK))
		return cell;
	chunk = take(t, time);
	if (!chunk)
		return cells_value(CELLS_RANK_STUCK, HOP_LINUX);
	for (int i = 0; i < CHUNK_CELLS; i++)
		inside(t, CHUNK | chunk)[i] = copy(t, from, inside(from, cell)[i], time);
	return CHUNK | chunk;
}

static void merge(struct cells *t, __u32 *cell, const struct cells *from, const __u32 *wanted, __u32 count, __s64 time)
{
	for (__u32 i = 0; i < count; i++) {
		const __u32 old = cell[i];

		if (old & wanted[i] & CHUNK) {
			merge(t, inside(t, old), from, inside(from, wanted[i]), CHUNK_CELLS, time);
		} else if (old != wanted[i]) {
			write_cell(&cell[i], copy(t, from, wanted[i], time));
			if (old & CHUNK)
				free_all(t, old, time);
		}
	}
}

void cells_merge(struct cells *t, const struct cells *from, __s64 time)
{
	merge(t, t->cell, from, from->cell, ROOT_CHUNKS * CHUNK_CELLS, time);
}
