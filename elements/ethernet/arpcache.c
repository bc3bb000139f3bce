/* The part of an ARP table that the kernel path reads: filling and emptying queriers' caches. */
#include "element.h"
#include "arpstructures.h"
#include "ethernet/arpcache.h"

#include <string.h>

static __u64 *arp_slot(const struct arp_user *user, __be32 ip)
{
	return &user->cache[ntohl(ip) & 0xffff];
}

static __u64 arp_word(__be32 ip, const __u8 *ether)
{
	__u64 word = 0;

	memcpy(&word, ether, 6);
	return word | (__u64)(ntohl(ip) >> 16) << 48;
}

static struct arp_known *arp_known(const struct arp_user *user, __be32 ip)
{
	return &user->known[ntohl(ip) & (ARP_KNOWN - 1)];
}

/* Whether a cache has an entry for the address. */
static bool arp_in_cache(const struct arp_user *user, __be32 ip)
{
	const __u64 word = read_once(*arp_slot(user, ip));

	return word && word >> 48 == ntohl(ip) >> 16;
}

static void arp_hide(const struct arp_user *user, __be32 ip)
{
	if (arp_in_cache(user, ip))
		write_once(*arp_slot(user, ip), 0);
}

void arp_uncache(const struct arp_user *user, __be32 ip)
{
	struct arp_known *known = arp_known(user, ip);

	arp_hide(user, ip);
	if (known->ip == ip)
		write_once(known->ip, 0);
}

void arp_uncache_all(const struct arp_user *user)
{
	for (__u32 slot = 0; slot < ARP_SLOTS; slot++)
		write_once(user->cache[slot], 0);
}

void arp_forget_known(const struct arp_user *user)
{
	for (__u32 i = 0; i < ARP_KNOWN; i++)
		write_once(user->known[i].ip, 0);
}

/* The time from which the runtime must see packets for the entry. */
static __s64 arp_cached_until(const struct arp_table *t, const struct arp_user *user, const struct arp_entry *e)
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

/* The kernel path reads this only if there is no runtime, which may have been killed here. */
static void arp_know(const struct arp_user *user, const struct arp_entry *e)
{
	struct arp_known *known = arp_known(user, e->ip);

	if (known->ip == e->ip && !memcmp(known->ether, e->ether, sizeof(known->ether)))
		return;
	write_once(known->ip, 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	memcpy(known->ether, e->ether, sizeof(known->ether));
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	write_once(known->ip, e->ip);
}

void arp_publish(const struct arp_table *t, const struct arp_user *user, const struct arp_entry *e, __s64 time)
{
	__u64 *slot = arp_slot(user, e->ip);
	__s64 until = arp_cached_until(t, user, e);

	if (user->off || !e->known)
		return;
	arp_know(user, e);
	if (until <= time)
		return;
	if (!*slot || (*slot & 1) || arp_in_cache(user, e->ip)) {
		write_once(*slot, arp_word(e->ip, e->ether));
		user->wake_at(until);
	}
}

void arp_publish_group(const struct arp_user *user, __be32 ip, const __u8 *ether)
{
	__u64 *slot = arp_slot(user, ip);

	if (!*slot)
		write_once(*slot, arp_word(ip, ether));
}

__s64 arp_review(const struct arp_table *t, const struct arp_user *user, __s64 time)
{
	__s64 shortest = t->timeout ?: ARP_NEVER, next = ARP_NEVER;

	if (user->poll_timeout && user->poll_timeout < shortest)
		shortest = user->poll_timeout;
	for (__u32 i = t->list->oldest; i && shortest != ARP_NEVER; i = t->entry[i].newer) {
		const struct arp_entry *e = &t->entry[i];
		__s64 until = arp_in_cache(user, e->ip) ? arp_cached_until(t, user, e) : ARP_NEVER;

		if (until <= time)
			arp_hide(user, e->ip);
		else if (until < next)
			next = until;
		/* All further entries are newer, and have not expired. */
		if (e->live_at + shortest > time) {
			next = e->live_at + shortest < next ? e->live_at + shortest : next;
			break;
		}
	}
	return next;
}
