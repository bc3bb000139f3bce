/* ARP tables, the runtime's part: entries by IP address and by age, and packets waiting for a reply.
 *
 * Only one thread at a time works on a table. Entries are numbered from 1 to t->capacity; 0 is none. Times are those of now(),
 * addresses in network byte order.
 */
#pragma once

#include "ethernet/arpcache.h"
#include "ethernet/arpinherit.h"

/* Start with the entries in the shared state. All fields but private memory must be set. 0, or -ENOMEM. */
int arp_open(struct arp_table *t);
/* Free the private memory and waiting packets. */
void arp_close(struct arp_table *t);

/* Set the Ethernet address for an IP address, also for the kernel path; the broadcast address makes it unknown. Returns the entry. */
__u32 arp_learn(struct arp_table *t, __be32 ip, const __u8 *ether, __s64 time);
/* Look an address up. Returns 0 if unknown, or the entry; *poll is whether it is time to poll the host. */
__u32 arp_lookup(struct arp_table *t, const struct arp_user *user, __be32 ip, bool *poll, __s64 time);
/* Keep a packet until its address is known: 1 if a query should be sent, 0 if not, -1 if there is no room; the caller then keeps
 * the packet. May drop other packets to make room.
 */
int arp_wait(struct arp_table *t, __be32 ip, struct pkt *p, __s64 time);
/* Take the packets waiting for an entry, chained by `next`. */
struct pkt *arp_take_waiting(struct arp_table *t, __u32 i);
/* Remove all entries, and drop the packets waiting for them. */
void arp_clear(struct arp_table *t);
/* Remove expired entries; returns when to call this again. */
__s64 arp_clean(struct arp_table *t, __s64 time);

/* For arpinherit.c. */

/* The first entry of a hash bucket; others follow by t->waiting[i].next. There are at least as many buckets as entries, and the
 * hash is keyed: chains have one or two entries.
 */
__u32 *arp_bucket(struct arp_table *t, __be32 ip);
/* The entry of an address, added if necessary. */
__u32 arp_ensure(struct arp_table *t, __be32 ip, __s64 time);
/* Insert an entry into the list by age (live_at, the oldest first), before another; `before` 0 means at the end. */
void arp_link(struct arp_table *t, __u32 i, __u32 before);
/* Remove expired entries, then the oldest until at most `entries` are left; then, if there are too many packets, drop some,
 * beginning with the oldest entry's. A call may visit all entries, but its cost is amortised: each entry is removed once for the
 * packet that made it, and packet_capacity / slim_factor packets must come before there are too many again.
 */
void arp_slim(struct arp_table *t, __s64 time, __u32 entries);
