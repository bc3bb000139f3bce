/* The IP options that a router fills in (RFC 1812, 4.2.2.2 and 5.2.4); runtime only. */
#pragma once

/* The router: the address that it writes, and all that are its own, in network byte order. */
struct ip_router {
	__be32 address;
	bool (*is_own)(__be32 address);
};

/* Fill in the options of a header of `length` bytes, all of which are there, but not its checksum. The offset of the first byte
 * that is wrong, or 0; `*ours` says whether there is an option for a router to deal with.
 */
__u32 ip_fill_options(struct iphdr *ip, __u32 length, const struct ip_router *router, bool *ours);
