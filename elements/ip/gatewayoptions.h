/* The IP options that a router fills in (RFC 1812, 4.2.2.2 and 5.2.4); runtime only. */
#pragma once

/* The router: the address that it writes, and a test for its own addresses, in network byte order. */
struct ip_router {
	__be32 address;
	bool (*is_own)(__be32 address);
};

/* Fill in the options of a complete header of `length` bytes, but not its checksum. Returns the offset of the first wrong byte, or
 * 0; `*ours` is whether there was an option for a router.
 */
__u32 ip_fill_options(struct iphdr *ip, __u32 length, const struct ip_router *router, bool *ours);
