/* The part of an ARP table that the kernel path reads: a cache for each querier.
 *
 * The kernel path sends by a querier's cache, without notifying the runtime. So the cache must not have entries that are due for a
 * poll or have expired: the querier's timer removes them in time.
 *
 * The cache has a word for each low half of an IP address: an Ethernet address, and the high half of the IP address (SELF(find) in
 * arpquerier.c). Beside it, `known` has the neighbours that the kernel path also sends to if there is no runtime. Times are those of now(), addresses in network byte order.
 */
#pragma once

#include "ethernet/arpentry.h"

/* Let the kernel path use an entry as long as allowed. A neighbour replaces a group in the cache, but not another neighbour: two
 * that share a slot would replace each other all the time.
 */
void arp_publish(const struct arp_table *t, const struct arp_user *user, const struct arp_entry *e, __s64 time);
/* Let the kernel path use the address of a group, unless a neighbour has the slot. */
void arp_publish_group(const struct arp_user *user, __be32 ip, const __u8 *ether);
/* Remove an address, which may be missing, from the cache and from the known ones. */
void arp_uncache(const struct arp_user *user, __be32 ip);
/* Remove all addresses from the cache. */
void arp_uncache_all(const struct arp_user *user);
/* Remove all from the known ones. */
void arp_forget_known(const struct arp_user *user);
/* Remove entries from a cache that are due for a poll or have expired; returns when to call this again. */
__s64 arp_review(const struct arp_table *t, const struct arp_user *user, __s64 time);
