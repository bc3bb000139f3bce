#include "aggregates.h"
#include "analysis/ages.h"
#include "common/table.h"

#define SECONDS 1000000000ull

struct SELF(pair) {
	__u64 addresses;	/* lower and higher */
	__u32 aggregate;	/* 0 after it has ended */
	__s32 last;		/* seconds */
	bool reverse;		/* the first packet went from the higher to the lower address */
};

static struct table *SELF(table)(struct SELF(pairs) *s)
{
	return as_table(s->table, sizeof(struct SELF(pair)), cfg.capacity);
}

static void SELF(end)(struct SELF(pairs) *s, struct SELF(pair) *pair)
{
	if (pair->aggregate)
		aggregate_is_over(s->listeners, pair->aggregate);
	pair->aggregate = 0;
}

/* Forget pairs that have been silent; the others move to a new table. */
static void SELF(reap)(struct SELF(pairs) *s)
{
	struct table old = *SELF(table)(s);

	*SELF(table)(s) = (struct table){.refused = old.refused};
	for (__u32 i = 0; i < old.count; i++) {
		struct SELF(pair) *pair = table_entry(&old, i), *now;

		if (is_older(pair->last, s->active - cfg.timeout)) {
			SELF(end)(s, pair);
			continue;
		}
		now = table_get(SELF(table)(s), pair->addresses);
		if (now)
			*now = *pair;
	}
	table_clear(&old);
}

/* End a pair to make room for another. */
static void SELF(give_up)(void *pair)
{
	private(pairs)->evicted++;
	SELF(end)(private(pairs), pair);
}

static void SELF(begin)(struct SELF(pairs) *s, struct SELF(pair) *pair, bool reverse)
{
	pair->aggregate = s->next;
	pair->reverse = reverse;
	s->next += s->next == ~0u ? 2 : 1;
	aggregate_begins(s->listeners, pair->aggregate);
}

/* With TIMEOUT: end the pair if it was silent for too long, and note the packet's time. */
static void SELF(see_time)(struct SELF(pairs) *s, struct SELF(pair) *pair, struct pkt *p)
{
	need_timestamp(p, "AggregateIPAddrPair");
	s->active = p->timestamp / SECONDS;
	if (is_older(pair->last, s->active - cfg.timeout))
		SELF(end)(s, pair);
	pair->last = s->active;
}

ELEMENT(AggregateIPAddrPair)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct SELF(pairs) *s = private(pairs);
	struct SELF(pair) *pair;
	__u32 from, to;

	if (!ip)
		return OUTPUT(1);
	from = ntohl(ip->saddr);
	to = ntohl(ip->daddr);
	pair = table_admit(SELF(table)(s), from > to ? (__u64)to << 32 | from : (__u64)from << 32 | to, &s->hand, SELF(give_up));
	if (!pair)
		return DROP(NO_MEMORY);
	if (cfg.timeout)
		SELF(see_time)(s, pair, p);
	if (!pair->aggregate)
		SELF(begin)(s, pair, from > to);
	pkt_set_anno_u32(p, AGGREGATE_ANNO, pair->aggregate);
	pkt_set_anno_u8(p, PAINT_ANNO, pair->reverse ^ (from > to));
	if (cfg.timeout && s->active > s->reap) {
		if (s->reap)
			SELF(reap)(s);
		s->reap = s->active + cfg.reap;
	}
	return OUTPUT(0);
}

INIT()
{
	struct SELF(pairs) *s = private(pairs);

	s->next = 1;
	s->listeners = aggregate_listeners(SELF(index));
	return 0;
}

CONTROL()
{
	struct SELF(pairs) *s = private(pairs);
	const struct table *table = SELF(table)(s);

	for (__u32 i = 0; i < table->count; i++)
		SELF(end)(s, table_entry(table, i));
	table_clear(SELF(table)(s));
	return 0;
}

CLEANUP()
{
	table_clear(SELF(table)(private(pairs)));
}
