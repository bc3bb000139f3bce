/* ARP tables: entries by IP address and by age, and packets waiting for a reply. */
#include "element.h"
#include "arpstructures.h"
#include "ethernet/arpcache.h"
#include "ethernet/arpinherit.h"
#include "ethernet/arptables.h"
#include "siphash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void arp_unlink(struct arp_table *t, __u32 i)
{
	struct arp_entry *e = &t->entry[i];

	*(e->older ? &t->entry[e->older].newer : &t->list->oldest) = e->newer;
	*(e->newer ? &t->entry[e->newer].older : &t->list->newest) = e->older;
	if (t->kept_alive == i)
		t->kept_alive = e->older;
}

void arp_link(struct arp_table *t, __u32 i, __u32 before)
{
	struct arp_entry *e = &t->entry[i];

	e->newer = before;
	e->older = before ? t->entry[before].older : t->list->newest;
	*(e->older ? &t->entry[e->older].newer : &t->list->oldest) = i;
	*(before ? &t->entry[before].older : &t->list->newest) = i;
}

__u32 *arp_bucket(struct arp_table *t, __be32 ip)
{
	return &t->bucket[siphash13(t->key, ip) >> (64 - t->bits)];
}

static __u32 arp_find(struct arp_table *t, __be32 ip)
{
	__u32 i = *arp_bucket(t, ip);

	while (i && t->entry[i].ip != ip)
		i = t->waiting[i].next;
	return i;
}

/* Drop packets waiting for an entry, until at most `keep_packets` packets wait in the whole table. */
static void arp_drop_waiting(struct arp_table *t, __u32 i, __u32 keep_packets)
{
	struct arp_waiting *w = &t->waiting[i];

	while (w->first && t->list->packets > keep_packets) {
		struct pkt *p = w->first;

		w->first = p->next;
		w->count--;
		t->list->packets--;
		t->list->drops++;
		pkt_drop(p, t->element, DROP_FULL);
	}
	if (!w->first)
		w->last = NULL;
}

static void arp_remove(struct arp_table *t, __u32 i)
{
	struct arp_entry *e = &t->entry[i];
	__u32 *from = arp_bucket(t, e->ip);

	arp_drop_waiting(t, i, 0);
	for (struct arp_user *user = t->users; user; user = user->next)
		arp_uncache(user, e->ip);
	arp_unlink(t, i);
	t->unknown -= !e->known;
	while (*from != i)
		from = &t->waiting[*from].next;
	*from = t->waiting[i].next;
	e->used = 0;
	t->waiting[i].next = t->unused;
	t->unused = i;
	t->list->count--;
}

void arp_clear(struct arp_table *t)
{
	while (t->list->oldest)
		arp_remove(t, t->list->oldest);
}

void arp_slim(struct arp_table *t, __s64 time, __u32 entries)
{
	__u32 keep, i;

	while (t->list->oldest && (arp_expired(t, &t->entry[t->list->oldest], time) || t->list->count > entries))
		arp_remove(t, t->list->oldest);
	if (!t->packet_capacity || t->list->packets <= t->packet_capacity)
		return;
	keep = t->packet_capacity - t->packet_capacity / t->slim_factor;
	for (i = t->list->oldest; i && t->list->packets > (keep ?: 1); i = t->entry[i].newer)
		arp_drop_waiting(t, i, keep ?: 1);
}

/* If at least half of the entries are unanswered, remove one of these, so that a host that scans a prefix displaces only the
 * entries that it has caused (RFC 6583). Returns whether it did. The hand passes at most half of the entries to find one.
 */
static bool arp_forget_unknown(struct arp_table *t)
{
	if (!t->unknown || t->unknown < t->capacity / 2)
		return false;
	do
		t->hand = t->hand % t->capacity + 1;
	while (!t->entry[t->hand].used || t->entry[t->hand].known);
	arp_remove(t, t->hand);
	return true;
}

/* Make room: remove expired entries or, without any, another one. */
static void arp_make_room(struct arp_table *t, __s64 time)
{
	arp_slim(t, time, t->capacity);
	if (t->list->count >= t->capacity && !arp_forget_unknown(t))
		arp_slim(t, time, t->capacity - 1);
}

__u32 arp_ensure(struct arp_table *t, __be32 ip, __s64 time)
{
	__u32 i = arp_find(t, ip);
	struct arp_entry *e;

	if (i)
		return i;
	if (t->list->count >= t->capacity)
		arp_make_room(t, time);
	i = t->unused;
	e = &t->entry[i];
	t->unused = t->waiting[i].next;
	memset(e, 0, sizeof(*e));
	e->ip = ip;
	memset(e->ether, 0xff, sizeof(e->ether));
	arp_touch(e, time);
	e->used = 1;
	t->unknown++;
	t->waiting[i].next = *arp_bucket(t, ip);
	*arp_bucket(t, ip) = i;
	arp_link(t, i, 0);
	t->list->count++;
	return i;
}

static bool arp_is_broadcast(const __u8 *ether)
{
	return word32(ether) == 0xffffffff && word16(ether + 4) == 0xffff;
}

__u32 arp_learn(struct arp_table *t, __be32 ip, const __u8 *ether, __s64 time)
{
	__u32 i = arp_ensure(t, ip, time);
	struct arp_entry *e = &t->entry[i];

	ether_copy(e->ether, ether);
	arp_set_known(t, e, !arp_is_broadcast(ether));
	arp_touch(e, time);
	arp_unlink(t, i);
	arp_link(t, i, 0);
	for (struct arp_user *user = t->users; user; user = user->next) {
		arp_uncache(user, ip);
		arp_publish(t, user, e, time);
	}
	return i;
}

struct pkt *arp_take_waiting(struct arp_table *t, __u32 i)
{
	struct arp_waiting *w = &t->waiting[i];
	struct pkt *first = w->first;

	t->list->packets -= w->count;
	w->first = w->last = NULL;
	w->count = 0;
	return first;
}

/* While packets keep coming for an entry, hold it just short of expiry, so that it isn't removed meanwhile. Its place is after all
 * expired entries, and before those kept alive at the same time. The search starts at the last entry kept alive, so that no packet
 * repeats another's steps.
 */
static void arp_keep_alive(struct arp_table *t, __u32 i, __s64 time)
{
	const struct arp_entry *last = &t->entry[t->kept_alive];
	struct arp_entry *e = &t->entry[i];
	__u32 after = e->newer;

	if (!arp_expired(t, e, time))
		return;
	if (t->kept_alive && t->kept_alive != i && e->live_at < last->live_at)
		after = last->live_at < time - t->timeout ? last->newer : t->kept_alive;
	e->live_at = time - t->timeout;
	while (after && t->entry[after].live_at < e->live_at)
		after = t->entry[after].newer;
	if (after != e->newer) {
		arp_unlink(t, i);
		arp_link(t, i, after);
	}
	t->kept_alive = i;
}

int arp_wait(struct arp_table *t, __be32 ip, struct pkt *p, __s64 time)
{
	__u32 i = arp_ensure(t, ip, time);
	struct arp_waiting *w = &t->waiting[i];
	struct arp_entry *e = &t->entry[i];

	arp_keep_alive(t, i, time);
	if (t->entry_packet_capacity && w->count >= t->entry_packet_capacity) {
		t->list->drops++;
		return -1;
	}
	t->list->packets++;
	if (t->packet_capacity && t->list->packets > t->packet_capacity)
		arp_slim(t, time, t->capacity);
	p->next = NULL;
	*(w->last ? &w->last->next : &w->first) = p;
	w->last = p;
	w->count++;
	if (!arp_may_poll(e, time))
		return 0;
	arp_mark_poll(e, time);
	return 1;
}

__u32 arp_lookup(struct arp_table *t, const struct arp_user *user, __be32 ip, bool *poll, __s64 time)
{
	__u32 i = arp_find(t, ip);
	struct arp_entry *e = &t->entry[i];

	*poll = false;
	if (!i || !e->known || arp_expired(t, e, time))
		return 0;
	if (user->poll_timeout && time >= e->live_at + user->poll_timeout && arp_may_poll(e, time)) {
		arp_mark_poll(e, time);
		*poll = true;
	}
	return i;
}

__s64 arp_clean(struct arp_table *t, __s64 time)
{
	if (!t->timeout)
		return ARP_NEVER;
	if (time >= t->clean_at) {
		arp_slim(t, time, t->capacity);
		t->clean_at = time + (t->timeout / ARP_SECOND + 1) * ARP_SECOND;
	}
	return t->clean_at;
}

void arp_close(struct arp_table *t)
{
	for (__u32 i = 1; t->waiting && i <= t->capacity; i++)
		while (t->waiting[i].first) {
			struct pkt *p = t->waiting[i].first;

			t->waiting[i].first = p->next;
			pkt_free(p);
		}
	free(t->waiting);
	free(t->bucket);
	t->waiting = NULL;
	t->bucket = NULL;
}

int arp_open(struct arp_table *t)
{
	struct arp_entry **used = calloc(t->capacity, sizeof(*used));

	for (t->bits = 6; 1u << t->bits < t->capacity; t->bits++)
		;
	t->waiting = calloc(t->capacity + 1, sizeof(*t->waiting));
	t->bucket = calloc(1u << t->bits, sizeof(*t->bucket));
	t->unused = 0;
	memcpy(t->key, hash_key(), sizeof(t->key));
	if (used && t->waiting && t->bucket)
		arp_adopt(t, used);
	else
		arp_close(t);
	free(used);
	return t->bucket ? 0 : -ENOMEM;
}
