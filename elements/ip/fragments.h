/* Fragmentation of IP packets (RFC 791, 2.3 and 3.2); runtime only. */
#pragma once

/* Cut a packet to its first fragment, with `first` bytes of data, a multiple of 8 and less than it has; `ip` is its header, with
 * valid lengths. Returns the later fragments, linked by `next`: at most `mtu` bytes long, with `headroom` bytes in front and the
 * options with the copied flag. `mtu` must have room for these and 8 bytes of data. Fragments without memory are left out.
 */
struct pkt *ip_split(struct pkt *p, struct iphdr *ip, int first, __u32 mtu, __u32 headroom);
