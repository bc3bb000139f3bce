/* What of an ARP table the kernel path may see: a cache for each querier.
 *
 * The kernel path sends by a querier's cache alone and reports it to nobody. So an entry is in a cache only while nothing has to
 * happen when a packet comes: not when it is due for a poll, nor when it has expired. The querier's timer sees to that.
 *
 * The cache has a word for each low half of an IP address: an Ethernet address, and the high half of the IP address (see
 * ARPQuerier's kernel path). Times are those of now(), addresses in network byte order.
 */
#ifndef CLICKBPF_ETHERNET_ARPCACHE_H
#define CLICKBPF_ETHERNET_ARPCACHE_H

#include "ethernet/arpentry.h"

/* Let the kernel path use an entry while it may. Neighbours take the place of groups, but not of each other: two that share
 * a slot would only chase each other out.
 */
void arp_publish(const struct arp_table *t, const struct arp_user *user, const struct arp_entry *e, __s64 time);
/* Let it use the address of a group where that is in no neighbour's way. */
void arp_publish_group(const struct arp_user *user, __be32 ip, const __u8 *ether);
/* Let it use an address no longer, which it may not know; or none. */
void arp_uncache(const struct arp_user *user, __be32 ip);
void arp_uncache_all(const struct arp_user *user);
/* Take entries out of a cache whose time is up; returns when to come again. */
__s64 arp_review(const struct arp_table *t, const struct arp_user *user, __s64 time);

#endif
