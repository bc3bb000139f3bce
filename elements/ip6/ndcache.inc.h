/* The cache of neighbours: read by the kernel path, written by the runtime. No include guard: the text is compiled for each
 * instance.
 *
 * A slot is an address and a word: the Ethernet address and, above it, a number that changes with every change of the slot. The
 * word is zero while the address changes; a reader that finds the same word before and after reading the address has a consistent
 * pair.
 *
 * An address has two slots. The first is found by one multiplication, without dependent loads. Anybody can choose addresses that
 * share a first slot, so a neighbour gets it only if it is free. The second is found by a keyed hash, so that nobody can choose
 * addresses that collide there: a neighbour replaces the one in it.
 */
#include "ip6/ip6.h"
#include "siphash.h"

#define ND_CACHE_BITS 12

/* An address as its two halves, which can stay in registers. */
struct SELF(neighbour) {
	__u64 high, low;
};

static __always_inline struct SELF(neighbour) SELF(neighbour_of)(const __u8 *address)
{
	return (struct SELF(neighbour)){ .high = ip6_high(address), .low = ip6_low(address) };
}

static __always_inline __u32 SELF(number_of)(const struct SELF(vars) *vars, struct SELF(neighbour) who)
{
	return siphash13_2(vars->key, who.high, who.low) >> (64 - ND_CACHE_BITS);
}

/* The first slot, by the upper bits of a product, which depend on all bytes of the lower half. */
static __always_inline struct SELF(cache) *SELF(first_slot)(struct SELF(neighbour) who)
{
	return at(cache, who.low * 0x9e3779b97f4a7c15ull >> (64 - ND_CACHE_BITS));
}

static __always_inline struct SELF(cache) *SELF(second_slot)(struct SELF(neighbour) who)
{
	const struct SELF(vars) *vars = var(vars);

	return at(cache, SELF(number_of)(vars, who));
}

/* The word for an address: the Ethernet address in its lower 6 bytes; 0 if the cache doesn't have it. */
static __always_inline __u64 SELF(word_at)(const struct SELF(cache) *slot, struct SELF(neighbour) who)
{
	__u64 word;

	if (!slot)
		return 0;
	word = read_once(slot->word);
	read_in_order();
	if (unlikely(read_once(slot->high) != who.high || read_once(slot->low) != who.low))
		return 0;
	read_in_order();
	return likely(read_once(slot->word) == word) ? word : 0;
}

/* A neighbour that may not be there any more is in the cache under an address that nobody has: of unicast addresses in use, the first
 * three bits are 001, or the first six 111111; so none is another's complement. Packets for it are the runtime's, which asks the neighbour
 * again; without a runtime, they are sent.
 */
static __always_inline struct SELF(neighbour) SELF(doubted)(struct SELF(neighbour) who)
{
	return (struct SELF(neighbour)){ .high = ~who.high, .low = who.low };
}

#if USERSPACE
static void SELF(fill)(struct SELF(cache) *slot, struct SELF(neighbour) who, __u64 word)
{
	write_once(slot->word, 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	write_once(slot->high, who.high);
	write_once(slot->low, who.low);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	write_once(slot->word, word);
}

static bool SELF(holds)(const struct SELF(cache) *slot, struct SELF(neighbour) who)
{
	return SELF(word_at)(slot, who) || SELF(word_at)(slot, SELF(doubted)(who));
}

static void SELF(clear)(struct SELF(cache) *slot, struct SELF(neighbour) who)
{
	if (SELF(holds)(slot, who))
		write_once(slot->word, 0);
}

/* Puts a neighbour into its first slot if that is free, else into the second, replacing its occupant, unless it is `doubtful`. */
static void SELF(publish)(const __u8 *address, const __u8 *ether, bool doubtful)
{
	LASTING_HERE(__u16, number, number_own);
	const struct SELF(neighbour) who = SELF(neighbour_of)(address);
	struct SELF(cache) *first = SELF(first_slot)(who), *second = SELF(second_slot)(who);
	const bool is_free = !first->word || SELF(holds)(first, who);
	__u64 word = 0;

	if (!is_free && doubtful && second->word && !SELF(holds)(second, who))
		return;
	ether_copy(&word, ether);
	*number = *number == 0xffff ? 1 : *number + 1;
	SELF(fill)(is_free ? first : second, doubtful ? SELF(doubted)(who) : who, word | (__u64)*number << 48);
	if (is_free && second != first)
		SELF(clear)(second, who);
}

static void SELF(unpublish)(const __u8 *address)
{
	const struct SELF(neighbour) who = SELF(neighbour_of)(address);

	SELF(clear)(SELF(first_slot)(who), who);
	SELF(clear)(SELF(second_slot)(who), who);
}
#endif
