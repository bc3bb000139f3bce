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

/* No part of its caller, so that packets whose slot is known have nothing of it in their way. */
static __attribute__((noinline)) __u32 SELF(number_of)(const struct SELF(vars) *vars, const __u8 *address)
{
	return siphash13_2(vars->key, SELF(half)(address), SELF(half)(address + 8)) >> (64 - ND_CACHE_BITS);
}

static __always_inline struct SELF(cache) *SELF(slot_of)(const __u8 *address)
{
	const struct SELF(vars) *vars = var(vars);

	return vars ? at(cache, SELF(number_of)(vars, address)) : NULL;
}

/* The word for an address that a slot has, whose lower 6 bytes are the Ethernet address; 0 if it hasn't. */
static __always_inline __u64 SELF(word_at)(const struct SELF(cache) *slot, const __u8 *address)
{
	__u64 word;

	if (!slot)
		return 0;
	word = read_once(slot->word);
	if (read_once(slot->high) != SELF(half)(address) || read_once(slot->low) != SELF(half)(address + 8))
		return 0;
	return read_once(slot->word) == word ? word : 0;
}

static __always_inline __u64 SELF(cached)(const __u8 *address)
{
	return SELF(word_at)(SELF(slot_of)(address), address);
}

/* The same for a packet's next hop, without the hash where that address's slot was found before. Who chooses addresses that
 * share a hint has them hashed each time, as without; which slot they have stays a secret. `*remember` is for SELF(remember), once
 * the packet is sure not to be given up.
 */
static __always_inline __u64 SELF(found)(const __u8 *address, __u32 *remember)
{
	const __u32 mixed = word32(address + 12) ^ word32(address + 8);
	const __u32 index = (mixed ^ mixed >> 8 ^ mixed >> 16 ^ mixed >> 24) % SELF(HINTS);
	const struct SELF(hints) *hint = at(hints, index);
	const struct SELF(vars) *vars = var(vars);
	__u32 number;
	__u64 word;

	if (!hint || !vars)
		return 0;
	word = SELF(word_at)(at(cache, read_once(hint->slot)), address);
	if (word)
		return word;
	number = SELF(number_of)(vars, address);
	*remember = 1u << 31 | index << 16 | number;
	return SELF(word_at)(at(cache, number), address);
}

static __always_inline void SELF(remember)(__u32 found)
{
	struct SELF(hints) *hint = found ? at(hints, (found >> 16) % SELF(HINTS)) : NULL;

	if (hint)
		write_once(hint->slot, found & 0xffff);
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
