/* ARP tables: their structures, and when the next query for an entry may be sent. struct arp_entry, struct arp_list and
 * ARP_SLOTS are generated: arpstructures.h (_arptable.py).
 */
#pragma once

#define ARP_SECOND 1000000000ll
#define ARP_NEVER ((__s64)(~0ull >> 1))

struct arp_waiting {
	struct pkt *first, *last;
	__u32 count;
	__u32 next;		/* in the hash bucket, or the list of unused entries */
};

/* A querier: its cache, and its poll timeout. */
struct arp_user {
	struct arp_user *next;
	__u64 *cache;			/* shared: [ARP_SLOTS] */
	struct arp_known *known;	/* shared: [ARP_KNOWN] */
	__s64 poll_timeout;		/* 0 is never */
	void (*wake_at)(__s64 when);	/* schedules arp_review() for `when` at the latest */
	bool off;			/* the cache must stay empty */
};

struct arp_table {
	struct arp_entry *entry;	/* shared: [capacity + 1] */
	struct arp_list *list;		/* shared */
	struct arp_user *users;
	struct arp_waiting *waiting;	/* [capacity + 1] */
	__u32 *bucket;			/* [1 << bits] */
	__u64 key[2];			/* key of the hash for buckets */
	__u32 kept_alive;		/* the last entry kept alive (arp_keep_alive), or 0 */
	__u32 bits;			/* bits of a bucket's number */
	__u32 unused;			/* first of the list of unused entries */
	__u32 unknown, hand;		/* number of unanswered entries; where to look for the next one */
	__u32 element;			/* the element that drops are counted for */
	__s64 clean_at;			/* when expired entries are removed next */

	/* Configuration; 0 is unlimited, or never. */
	__u32 capacity, packet_capacity, entry_packet_capacity, slim_factor;
	__s64 timeout;
};

static inline bool arp_expired(const struct arp_table *t, const struct arp_entry *e, __s64 time)
{
	return t->timeout && e->live_at + t->timeout < time;
}

/* When the next query for an entry may be sent: ten at 100 ms, then every two seconds. */
static inline __s64 arp_next_poll(const struct arp_entry *e)
{
	return e->polled_at + (e->polls >= 10 ? 2 * ARP_SECOND : ARP_SECOND / 10);
}

static inline bool arp_may_poll(const struct arp_entry *e, __s64 time)
{
	return time >= arp_next_poll(e);
}

static inline void arp_mark_poll(struct arp_entry *e, __s64 time)
{
	e->polled_at = time;
	if (e->polls < 255)
		e->polls++;
}

static inline void arp_set_known(struct arp_table *t, struct arp_entry *e, bool known)
{
	t->unknown += e->known - known;
	e->known = known;
}

/* A fresh entry may be polled at once. */
static inline void arp_touch(struct arp_entry *e, __s64 time)
{
	e->live_at = time;
	e->polls = 0;
	e->polled_at = time - ARP_SECOND;
}
