/* The cache of neighbours that the kernel path reads and the runtime writes. No include guard: the text is compiled for each
 * instance.
 *
 * A slot is an address and a word: the Ethernet address and, above it, a number that changes whenever the slot does. The word is
 * zero while the address changes, so who finds the same word before and after it has read both as they belong together.
 * Slots go by a keyed hash, or a neighbour could choose addresses that keep another's out.
 */
#include "siphash.h"

#define ND_CACHE_BITS 12

static __always_inline __u64 SELF(half)(const __u8 *address)
{
	return word32(address) | (__u64)word32(address + 4) << 32;
}

static __always_inline struct SELF(cache) *SELF(slot_of)(const __u8 *address)
{
	const struct SELF(vars) *vars = var(vars);

	if (!vars)
		return NULL;
	return at(cache, siphash13_2(vars->key, SELF(half)(address), SELF(half)(address + 8)) >> (64 - ND_CACHE_BITS));
}

/* The word for an address, whose lower 6 bytes are the Ethernet address; 0 if it isn't in the cache. */
static __always_inline __u64 SELF(cached)(const __u8 *address)
{
	struct SELF(cache) *slot = SELF(slot_of)(address);
	__u64 word;

	if (!slot)
		return 0;
	word = read_once(slot->word);
	if (read_once(slot->high) != SELF(half)(address) || read_once(slot->low) != SELF(half)(address + 8))
		return 0;
	return read_once(slot->word) == word ? word : 0;
}

#if USERSPACE
static void SELF(publish)(const __u8 *address, const __u8 *ether)
{
	static __u16 number;
	struct SELF(cache) *slot = SELF(slot_of)(address);
	__u64 word = 0;

	ether_copy(&word, ether);
	number = number == 0xffff ? 1 : number + 1;
	write_once(slot->word, 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	write_once(slot->high, SELF(half)(address));
	write_once(slot->low, SELF(half)(address + 8));
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	write_once(slot->word, word | (__u64)number << 48);
}

static void SELF(unpublish)(const __u8 *address)
{
	if (SELF(cached)(address))
		write_once(SELF(slot_of)(address)->word, 0);
}
#endif
