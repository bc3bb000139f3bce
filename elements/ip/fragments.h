/* Fragmentation of IP packets (RFC 791, 2.3 and 3.2); runtime only. */
#pragma once

/* Make a packet its own first fragment, with `first` bytes of its data, a multiple of 8 and fewer than it has. `ip` is its header, with
 * options and a length that it has; later fragments, linked by `next`, have those options that are copied, are no longer than `mtu`,
 * which has room for them and 8 bytes, and have `headroom` bytes before. Fragments without memory are left out.
 */
struct pkt *ip_split(struct pkt *p, struct iphdr *ip, int first, __u32 mtu, __u32 headroom);
