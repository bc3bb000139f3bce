/* Lookup in a trie of routes, described and changed by _fib.py. No include guard: the text is compiled for each instance, under its
 * own name.
 */
#define FIB_CHUNK 0x80000000u

/* The cell for an address of `length` bytes, a constant: 0, or a route's number + 1. The root's chunks are indexed by the first
 * byte, their cells by the second.
 */
static __always_inline __u32 SELF(cell)(const __u8 *address, const int length)
{
	__u32 chunk = address[0];

#pragma clang loop unroll(full)
	for (int i = 1; i < length; i++) {
		const struct SELF(fib) *cells = at(fib, chunk);
		__u32 cell;

		if (!cells)
			return 0;
		cell = read_once(cells->cell[address[i]]);
		if (!(cell & FIB_CHUNK))
			return cell;
		chunk = cell & ~FIB_CHUNK;
	}
	return 0;
}
