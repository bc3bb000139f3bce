/* The cache of neighbours, which the kernel path reads and the runtime writes. No include guard: the text is compiled for each
 * instance.
 *
 * A slot is an address and a word: the Ethernet address and, above it, a number that changes whenever the slot does. The word is
 * zero while the address changes; a reader that finds the same word before and after it reads the address has a consistent pair.
 * Slots are chosen by a keyed hash: otherwise a neighbour could choose addresses that displace another's.
 */
#include "ip6/ip6.h"
#include "siphash.h"

#define ND_CACHE_BITS 12
#define ND_HINT_BITS 8
_Static_assert(SELF(HINTS) == 1 << ND_HINT_BITS, "hints go by this many bits");

/* An address as its two halves, which can stay in registers. */
struct SELF(neighbour) {
	__u64 high, low;
};

static __always_inline struct SELF(neighbour) SELF(neighbour_of)(const __u8 *address)
{
	return (struct SELF(neighbour)){ .high = ip6_high(address), .low = ip6_low(address) };
}

/* Not inlined, so that packets whose slot is known don't carry it in their path. */
static __attribute__((noinline)) __u32 SELF(number_of)(const struct SELF(vars) *vars, __u64 high, __u64 low)
{
	return siphash13_2(vars->key, high, low) >> (64 - ND_CACHE_BITS);
}

static __always_inline struct SELF(cache) *SELF(slot_of)(struct SELF(neighbour) who)
{
	const struct SELF(vars) *vars = var(vars);

	return vars ? at(cache, SELF(number_of)(vars, who.high, who.low)) : NULL;
}

/* The word for an address: the Ethernet address in its lower 6 bytes; 0 if the cache doesn't have it. */
static __always_inline __u64 SELF(word_at)(const struct SELF(cache) *slot, struct SELF(neighbour) who)
{
	__u64 word;

	if (!slot)
		return 0;
	word = read_once(slot->word);
	if (read_once(slot->high) != who.high || read_once(slot->low) != who.low)
		return 0;
	return read_once(slot->word) == word ? word : 0;
}

static __always_inline __u64 SELF(cached)(struct SELF(neighbour) who)
{
	return SELF(word_at)(SELF(slot_of)(who), who);
}

/* The place where the slot of an address is remembered: the upper bits of a product, which depend on all of its lower bytes. Addresses
 * that share a place are hashed each time, as all would be without it; an attacker who chooses such addresses still doesn't learn
 * their slots.
 */
static __always_inline __u32 SELF(hint_of)(struct SELF(neighbour) who)
{
	return who.low * 0x9e3779b97f4a7c15ull >> (64 - ND_HINT_BITS);
}

/* The word for a packet's next hop, without a hash, if that address was found before; else 0. */
static __always_inline __u64 SELF(hinted)(struct SELF(neighbour) who)
{
	const struct SELF(hints) *hint = at(hints, SELF(hint_of)(who));

	return hint ? SELF(word_at)(at(cache, read_once(hint->slot)), who) : 0;
}

/* The same by the hash. `*slot` is for SELF(remember), which is called once the packet can no longer be handed over. */
static __always_inline __u64 SELF(hashed)(struct SELF(neighbour) who, __u32 *slot)
{
	const struct SELF(vars) *vars = var(vars);

	if (!vars)
		return 0;
	*slot = SELF(number_of)(vars, who.high, who.low);
	return SELF(word_at)(at(cache, *slot), who);
}

static __always_inline void SELF(remember)(struct SELF(neighbour) who, __u32 slot)
{
	struct SELF(hints) *hint = at(hints, SELF(hint_of)(who));

	if (hint)
		write_once(hint->slot, slot);
}

#if USERSPACE
static void SELF(publish)(const __u8 *address, const __u8 *ether)
{
	LASTING_HERE(__u16, number, number_own);
	const struct SELF(neighbour) who = SELF(neighbour_of)(address);
	struct SELF(cache) *slot = SELF(slot_of)(who);
	__u64 word = 0;

	ether_copy(&word, ether);
	*number = *number == 0xffff ? 1 : *number + 1;
	write_once(slot->word, 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	write_once(slot->high, who.high);
	write_once(slot->low, who.low);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	write_once(slot->word, word | (__u64)*number << 48);
}

static void SELF(unpublish)(const __u8 *address)
{
	const struct SELF(neighbour) who = SELF(neighbour_of)(address);

	if (SELF(cached)(who))
		write_once(SELF(slot_of)(who)->word, 0);
}
#endif
