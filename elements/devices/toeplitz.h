/* Toeplitz, the hash of receive-side scaling, with the key of Microsoft's verification suite, which many drivers use. */
#pragma once

/* The 64 bits of the key for word `n` of the input. */
#define TOEPLITZ_KEY(n) ((__u64[]){                                                       \
	0x6d5a56da255b0ec2, 0x255b0ec24167253d, 0x4167253d43a38fb0, 0x43a38fb0d0ca2bcb,   \
	0xd0ca2bcbae7b30b4, 0xae7b30b477cb2da3, 0x77cb2da38030f20c, 0x8030f20c6a42b73b,   \
	0x6a42b73bbeac01fa }[n])

/* Add a word of the input, in network byte order, to the hash. */
static __always_inline __u32 toeplitz(__u32 hash, __be32 word, __u64 key)
{
	const __u32 bits = ntohl(word);

	for (int i = 0; i < 32; i++)
		if (bits & 1u << (31 - i))
			hash ^= key << i >> 32;
	return hash;
}
