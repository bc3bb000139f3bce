/* Eight-byte numbers in packets (see _number.py), in network or host byte order. */
#pragma once

#define NUMBER_SIZE 8

static __always_inline __u64 number_order(__u64 number, bool net_order)
{
	return net_order ? __builtin_bswap64(number) : number;
}

/* `at` may have any alignment. */
static __always_inline __u64 number_read(const void *at, bool net_order)
{
	const __u8 *bytes = at;

	return number_order(*(const __u32 *)bytes | (__u64)*(const __u32 *)(bytes + 4) << 32, net_order);
}

static __always_inline void number_write(void *at, __u64 number, bool net_order)
{
	number = number_order(number, net_order);
	word32(at) = number;
	word32((__u8 *)at + 4) = number >> 32;
}
