/* Random events, with probabilities of 28 fraction bits. */
#pragma once

#define PROBABILITY_BITS 28
#define CERTAIN (1u << PROBABILITY_BITS)

/* True with the given probability. */
static __always_inline bool happens(__u32 probability)
{
	return random_u32() >> (32 - PROBABILITY_BITS) < probability;
}

/* 32 bits, each set with the given probability. Each bit compares its own random number with the probability, from the first binary
 * digit until one differs. A word has one digit for all 32 bits, so a handful of words suffices.
 */
static __always_inline __u32 random_bits(__u32 probability)
{
	__u32 undecided = ~0u, set = 0;

	if (probability >= CERTAIN)
		return ~0u;
	for (int digit = PROBABILITY_BITS - 1; digit >= 0 && undecided; digit--) {
		__u32 drawn = random_u32();

		if (probability >> digit & 1) {
			set |= undecided & ~drawn;
			undecided &= drawn;
		} else {
			undecided &= ~drawn;
		}
	}
	return set;
}
