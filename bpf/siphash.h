/* SipHash (Aumasson, Bernstein: SipHash, a fast short-input PRF, 2012) of 64-bit words, for both executors.
 *
 * Every table that packets fill uses siphash13() with a secret key: otherwise an attacker could choose addresses that all collide.
 * The key belongs to the router (hash_key() in the runtime). A table that the kernel path also reads keeps the key in its state,
 * where it outlives the runtime. Simulated routers have a fixed key, so that runs are reproducible.
 */
#pragma once

#include <linux/types.h>

struct sip {
	__u64 v0, v1, v2, v3;
};

static __attribute__((__always_inline__)) inline __u64 sip_rotate(__u64 x, int n)
{
	return x << n | x >> (64 - n);
}

static __attribute__((__always_inline__)) inline void sip_rounds(struct sip *s, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		s->v0 += s->v1;
		s->v1 = sip_rotate(s->v1, 13) ^ s->v0;
		s->v0 = sip_rotate(s->v0, 32);
		s->v2 += s->v3;
		s->v3 = sip_rotate(s->v3, 16) ^ s->v2;
		s->v0 += s->v3;
		s->v3 = sip_rotate(s->v3, 21) ^ s->v0;
		s->v2 += s->v1;
		s->v1 = sip_rotate(s->v1, 17) ^ s->v2;
		s->v2 = sip_rotate(s->v2, 32);
	}
}

static __attribute__((__always_inline__)) inline void sip_take(struct sip *s, __u64 word, int rounds)
{
	s->v3 ^= word;
	sip_rounds(s, rounds);
	s->v0 ^= word;
}

/* The hash of `count` words, with `each` rounds per word and `last` at the end; all three are compile-time constants. */
static __attribute__((__always_inline__)) inline __u64 siphash(const __u64 key[2], const __u64 *words, int count, int each,
							       int last)
{
	struct sip s = {
		key[0] ^ 0x736f6d6570736575ull,
		key[1] ^ 0x646f72616e646f6dull,
		key[0] ^ 0x6c7967656e657261ull,
		key[1] ^ 0x7465646279746573ull,
	};

	for (int i = 0; i < count; i++)
		sip_take(&s, words[i], each);
	sip_take(&s, (__u64)count << 59, each);		/* the length in bytes */
	s.v2 ^= 0xff;
	sip_rounds(&s, last);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

/* For tables: one word, or two. */
static __attribute__((__always_inline__)) inline __u64 siphash13(const __u64 key[2], __u64 word)
{
	return siphash(key, &word, 1, 1, 3);
}

static __attribute__((__always_inline__)) inline __u64 siphash13_2(const __u64 key[2], __u64 one, __u64 other)
{
	const __u64 words[2] = {one, other};

	return siphash(key, words, 2, 1, 3);
}
