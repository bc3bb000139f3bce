/* ARP tables that inherit the entries of another table, or of an earlier runtime. */
#include "element.h"
#include "arpstructures.h"
#include "ethernet/arpcache.h"
#include "ethernet/arpinherit.h"
#include "ethernet/arptables.h"

#include <stdlib.h>

/* Move the packets waiting for an entry of another table. */
static void arp_take_packets(struct arp_table *t, __u32 i, struct arp_table *from, __u32 j)
{
	struct arp_waiting *w = &t->waiting[i], *before = &from->waiting[j];

	t->list->packets += before->count;
	from->list->packets -= before->count;
	w->first = before->first;
	w->last = before->last;
	w->count = before->count;
	before->first = before->last = NULL;
	before->count = 0;
}

void arp_take(struct arp_table *t, struct arp_table *from, __s64 time)
{
	for (__u32 j = from->list->oldest; j; j = from->entry[j].newer) {
		const struct arp_entry *before = &from->entry[j];
		struct arp_entry *e = &t->entry[arp_ensure(t, before->ip, time)];

		ether_copy(e->ether, before->ether);
		arp_set_known(t, e, before->known);
		e->polls = before->polls;
		e->live_at = before->live_at;
		e->polled_at = before->polled_at;
		arp_take_packets(t, e - t->entry, from, j);
		for (struct arp_user *user = t->users; user; user = user->next)
			arp_publish(t, user, e, time);
	}
	t->list->drops = from->list->drops;
	if (t->packet_capacity && t->list->packets > t->packet_capacity)
		arp_slim(t, time, t->capacity);
}

static int arp_by_age(const void *one, const void *other)
{
	const struct arp_entry *a = *(const struct arp_entry *const *)one, *b = *(const struct arp_entry *const *)other;

	return a->live_at < b->live_at ? -1 : a->live_at > b->live_at;
}

void arp_adopt(struct arp_table *t, struct arp_entry **used)
{
	__u32 count = 0;

	t->unknown = 0;
	for (__u32 i = t->capacity; i > 0; i--) {
		if (t->entry[i].used) {
			used[count++] = &t->entry[i];
			t->unknown += !t->entry[i].known;
			t->waiting[i].next = *arp_bucket(t, t->entry[i].ip);
			*arp_bucket(t, t->entry[i].ip) = i;
		} else {
			t->waiting[i].next = t->unused;
			t->unused = i;
		}
	}
	qsort(used, count, sizeof(*used), arp_by_age);
	t->list->oldest = t->list->newest = t->list->packets = 0;
	t->list->count = count;
	for (__u32 i = 0; i < count; i++)
		arp_link(t, used[i] - t->entry, 0);
}
