/* Chance, with probabilities of 28 bits of fraction. */
#pragma once

#define PROBABILITY_BITS 28
#define CERTAIN (1u << PROBABILITY_BITS)

/* True with this probability. */
static __always_inline bool happens(__u32 probability)
{
	return random_u32() >> (32 - PROBABILITY_BITS) < probability;
}

/* 32 bits, each of them set with this probability. Every bit draws a number of its own, digit by digit, all bits at once, and
 * compares it with the probability: the first digit that differs decides, so a handful of words is drawn, not one for
 * each bit.
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
