/* What of an ARP table the kernel path may see: a cache for each querier.
 *
 * The kernel path sends by a querier's cache alone and tells nobody. So an entry is in a cache only while nothing has to
 * happen when a packet comes: not when it is due for a poll, nor when it has expired. The querier's timer sees to that.
 */
#ifndef CLICKBPF_ETHERNET_ARPCACHE_H
#define CLICKBPF_ETHERNET_ARPCACHE_H

#include "ethernet/arpentry.h"

/* The cache: an Ethernet address, and the high half of the IP address (see ARPQuerier's kernel path). */

static inline volatile __u64 *arp_slot(const struct arp_user *user, __be32 ip)
{
	return &user->cache[ntohs(ip >> 16)];
}

static inline __u64 arp_word(__be32 ip, const __u8 *ether)
{
	__u64 word = 0;

	memcpy(&word, ether, 6);
	return word | (__u64)(__u16)ip << 48;
}

/* Whether a cache has something for the address. */
static inline bool arp_in_cache(const struct arp_user *user, __be32 ip)
{
	const __u64 word = *arp_slot(user, ip);

	return word && word >> 48 == (__u16)ip;
}

static inline void arp_uncache(const struct arp_user *user, __be32 ip)
{
	if (arp_in_cache(user, ip))
		*arp_slot(user, ip) = 0;
}

static inline void arp_uncache_all(const struct arp_user *user)
{
	for (__u32 slot = 0; slot < ARP_SLOTS; slot++)
		((volatile __u64 *)user->cache)[slot] = 0;
}

/* When a packet for the entry is the runtime's business again. */
static inline __s64 arp_cached_until(const struct arp_table *t, const struct arp_user *user, const struct arp_entry *e)
{
	__s64 until = t->timeout ? e->live_at + t->timeout : ARP_NEVER;
	__s64 poll = ARP_NEVER;

	if (user->poll_timeout) {
		poll = e->live_at + user->poll_timeout;
		if (poll < arp_next_poll(e))
			poll = arp_next_poll(e);
	}
	return poll < until ? poll : until;
}

/* Let the kernel path use an entry while it may. Neighbours take the place of groups, but not of each other: two that share
 * a slot would only chase each other out.
 */
static inline void arp_publish(const struct arp_table *t, const struct arp_user *user, const struct arp_entry *e, __s64 time)
{
	volatile __u64 *slot = arp_slot(user, e->ip);
	__s64 until = arp_cached_until(t, user, e);

	if (user->off || !e->known || until <= time)
		return;
	if (!*slot || (*slot & 1) || arp_in_cache(user, e->ip)) {
		*slot = arp_word(e->ip, e->ether);
		user->wake_at(until);
	}
}

/* Let it use the address of a group where that is in no neighbour's way. */
static inline void arp_publish_group(const struct arp_user *user, __be32 ip, const __u8 *ether)
{
	volatile __u64 *slot = arp_slot(user, ip);

	if (!*slot)
		*slot = arp_word(ip, ether);
}

#endif
