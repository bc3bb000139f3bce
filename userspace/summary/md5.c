#include "summary/md5.h"
#include <string.h>

#define BLOCK 64

/* RFC 1321, 3.4: the sines of 1 to 64, as 32-bit fractions. */
static const __u32 sines[64] = {
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
	0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
	0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
	0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
	0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
	0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static const __u8 shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static __u32 rotate(__u32 x, int n)
{
	return x << n | x >> (32 - n);
}

/* One of the 64 steps: which word of the block it takes, and how it mixes three words of the state. */
static __u32 mix(int step, const __u32 s[4], int *word)
{
	switch (step / 16) {
	case 0:
		*word = step;
		return (s[1] & s[2]) | (~s[1] & s[3]);
	case 1:
		*word = (5 * step + 1) % 16;
		return (s[1] & s[3]) | (s[2] & ~s[3]);
	case 2:
		*word = (3 * step + 5) % 16;
		return s[1] ^ s[2] ^ s[3];
	}
	*word = 7 * step % 16;
	return s[2] ^ (s[1] | ~s[3]);
}

static __u32 little_endian(const __u8 *at)
{
	return at[0] | at[1] << 8 | at[2] << 16 | (__u32)at[3] << 24;
}

static void digest_block(__u32 state[4], const __u8 *block)
{
	__u32 s[4];

	memcpy(s, state, sizeof(s));
	for (int step = 0; step < 64; step++) {
		int word;
		__u32 sum = mix(step, s, &word) + s[0] + sines[step];

		sum = s[1] + rotate(sum + little_endian(block + 4 * word), shifts[step / 16][step % 4]);
		s[0] = s[3];
		s[3] = s[2];
		s[2] = s[1];
		s[1] = sum;
	}
	for (int i = 0; i < 4; i++)
		state[i] += s[i];
}

void md5(const void *message, size_t length, __u8 digest[MD5_SIZE])
{
	__u32 state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	__u8 last[2 * BLOCK] = {0};
	const __u8 *at = message;
	size_t rest = length % BLOCK, padded = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;
	__u64 bits = 8 * (__u64)length;

	for (; (size_t)(at - (const __u8 *)message) + BLOCK <= length; at += BLOCK)
		digest_block(state, at);
	memcpy(last, at, rest);
	last[rest] = 0x80;
	for (int i = 0; i < 8; i++)
		last[padded - 8 + i] = bits >> (8 * i);
	for (size_t i = 0; i < padded; i += BLOCK)
		digest_block(state, last + i);
	for (int i = 0; i < MD5_SIZE; i++)
		digest[i] = state[i / 4] >> (8 * (i % 4));
}
