/* ARP tables, the runtime's part: entries by IP address and by age, and packets that wait for a reply.
 *
 * One thread at a time works on a table. Entries are numbers of 1 to t->capacity, 0 is none. Times are those of now(), addresses in
 * network byte order.
 */
#pragma once

#include "ethernet/arpcache.h"
#include "ethernet/arpinherit.h"

/* Start with the entries in the shared state. All fields but private memory must be set. 0, or -ENOMEM. */
int arp_open(struct arp_table *t);
/* Free the private memory, and the packets that wait. */
void arp_close(struct arp_table *t);

/* Enter an Ethernet address for an address, also for the kernel path; the broadcast address means that it isn't known any more.
 * Returns the entry.
 */
__u32 arp_learn(struct arp_table *t, __be32 ip, const __u8 *ether, __s64 time);
/* Look an address up. 0 is unknown; else the entry, and *poll says whether it is time to ask whether it still holds. */
__u32 arp_lookup(struct arp_table *t, const struct arp_user *user, __be32 ip, bool *poll, __s64 time);
/* Keep a packet until its address is known: 1 if a query should be sent, 0 if not, -1 if there is no room and the packet is
 * still the caller's. Others may be dropped to make room.
 */
int arp_wait(struct arp_table *t, __be32 ip, struct pkt *p, __s64 time);
/* The packets that wait for an entry, chained by `next`; they are the caller's now. */
struct pkt *arp_take_waiting(struct arp_table *t, __u32 i);
/* Remove all entries; packets that wait for them are dropped. */
void arp_clear(struct arp_table *t);
/* Remove expired entries; returns when to call this again. */
__s64 arp_clean(struct arp_table *t, __s64 time);

/* For arpinherit.c. */

/* The first entry of a hash bucket; others follow by t->waiting[i].next. There are at least as many buckets as entries, and the
 * hash is keyed: chains have one or two entries.
 */
__u32 *arp_bucket(struct arp_table *t, __be32 ip);
/* The entry of an address, made if there is none. */
__u32 arp_ensure(struct arp_table *t, __be32 ip, __s64 time);
/* Put an entry before another of those by age, the oldest (by live_at) first; before 0 is the newest place. */
void arp_link(struct arp_table *t, __u32 i, __u32 before);
/* Remove what has expired, and the oldest entries until no more than `entries` are left; then packets, beginning with
 * those of the oldest entry, if there are too many. One call may go through all entries, `capacity` of them; but each is removed
 * once for the packet that made it, and a slim_factor'th of packet_capacity has to come before packets are too many again.
 */
void arp_slim(struct arp_table *t, __s64 time, __u32 entries);
