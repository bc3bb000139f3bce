/* Lookup in a trie of routes (see _fib.py, which also changes it). No include guard: the text
 * is compiled for each instance, under its own name.
 */
#define FIB_CHUNK 0x80000000u

/* What belongs to a route's hop is written in one store, and so read at once. */
union SELF(hop) {
	__u64 whole;
	struct {
		__be32 gateway;
		__s32 port;
	};
};

_Static_assert(offsetof(struct SELF(routes), gateway) % 8 == 0, "a hop is not one aligned word");

/* The cell for an address in host order: 0, or a route's number + 1. */
static __always_inline __u32 SELF(cell)(__u32 address)
{
	const struct SELF(fib) *chunk = at(fib, address >> 24);
	__u32 cell;

	if (!chunk)
		return 0;
	cell = *(const volatile __u32 *)&chunk->cell[address >> 16 & 0xff];
	if (!(cell & FIB_CHUNK))
		return cell;
	chunk = at(fib, cell & ~FIB_CHUNK);
	if (!chunk)
		return 0;
	cell = *(const volatile __u32 *)&chunk->cell[address >> 8 & 0xff];
	if (!(cell & FIB_CHUNK))
		return cell;
	chunk = at(fib, cell & ~FIB_CHUNK);
	return chunk ? *(const volatile __u32 *)&chunk->cell[address & 0xff] : 0;
}
