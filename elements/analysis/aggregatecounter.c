#include "tables/pair.h"
#if USERSPACE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#else
#include "tables/indexed.inc.h"
#endif

static __always_inline __u32 SELF(amount)(struct pkt *p)
{
	__u32 amount;

	if (!cfg.bytes)
		return 1 + (cfg.multipacket ? pkt_anno_u32(p, EXTRA_PACKETS_ANNO) : 0);
	amount = pkt_len(p) + (cfg.extra_length ? pkt_anno_u32(p, EXTRA_LENGTH_ANNO) : 0);
	if (cfg.ip_bytes && pkt_has_network_header(p))
		amount -= pkt_network_offset(p);
	return amount;
}

/* Whether a packet is counted. */
enum SELF(counted) { SELF(no), SELF(yes), SELF(unknown) };

#if USERSPACE

LASTING(struct index, words);

static __u64 *SELF(pair)(__u32 number)
{
	return &at(pairs, number)->word;
}

static __u64 *SELF(find)(const struct SELF(counts) *c, __u32 aggregate)
{
	const __u64 hash = pair_hash(c->key, aggregate);
	__u32 state = 0, number;

	while ((number = index_next(SELF(words), hash, &state)))
		if (pair_key(*SELF(pair)(number)) == aggregate)
			return SELF(pair)(number);
	return NULL;
}

/* Make a pair with value 0 for a new aggregate; NULL if there is no room. */
static __u64 *SELF(make)(struct SELF(counts) *c, __u32 aggregate)
{
	if (c->used < cfg.capacity) {
		write_once(*SELF(pair)(c->used + 1), pair_word(aggregate, 0));
		if (index_insert(SELF(words), pair_hash(c->key, aggregate), c->used + 1))
			return SELF(pair)(++c->used);
	}
	c->refused++;
	return NULL;
}

/* The aggregate's pair. If missing, it is made, or NULL when frozen or full. */
static __u64 *SELF(get)(struct SELF(counts) *c, __u32 aggregate, bool frozen)
{
	__u64 *pair = SELF(find)(c, aggregate);

	if (frozen)
		return pair && pair_value(*pair) ? pair : NULL;
	return pair ?: SELF(make)(c, aggregate);
}

/* Act on a limit, once: it stays off until it is set again. */
static void SELF(reach)(struct SELF(counts) *c, int what)
{
	c->limit[what] = ~0ull;
	switch (c->action[what]) {
	case SELF(FREEZE):
		c->frozen = true;
		break;
	case SELF(STOP):
		c->active = false;
		driver_stop();
		break;
	case SELF(CALL):
		call_python(what);
	}
}

/* Add to a value and return the old one. Atomic, since kernel paths on other CPUs add to it too. */
static __u32 SELF(add)(__u64 *pair, __u32 amount)
{
	__u64 word = read_once(*pair);

	while (!__atomic_compare_exchange_n(pair, &word, pair_word(pair_key(word), pair_value(word) + amount), true, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED))
		;
	return pair_value(word);
}

static enum SELF(counted) SELF(count)(struct SELF(counts) *c, struct pkt *p, bool frozen)
{
	const __u32 amount = SELF(amount)(p), aggregate = pkt_anno_u32(p, AGGREGATE_ANNO);
	__u64 *pair;

	for (;;) {
		pair = c->active ? SELF(get)(c, aggregate, frozen || c->frozen) : NULL;
		if (!pair)
			return SELF(no);
		if (!amount || pair_value(*pair) || c->nonzero < c->limit[SELF(AGGREGATES)])
			break;
		SELF(reach)(c, SELF(AGGREGATES));
	}
	if (!SELF(add)(pair, amount) && amount)
		c->nonzero++;
	if (__atomic_add_fetch(&c->count, amount, __ATOMIC_RELAXED) >= c->limit[SELF(COUNT)])
		SELF(reach)(c, SELF(COUNT));
	return SELF(yes);
}

#else

/* Add to the total count, unless that would reach its limit. */
static __always_inline bool SELF(reserve)(struct SELF(counts) *c, __u32 amount)
{
	const __u64 limit = read_once(c->limit[SELF(COUNT)]);

	if (limit == ~0ull) {
		__sync_fetch_and_add(&c->count, amount);
		return true;
	}
	for (int i = 0; i < PAIR_TRIES; i++) {
		const __u64 count = read_once(c->count);

		if (count + amount >= limit)
			return false;
		if (__sync_bool_compare_and_swap(&c->count, count, count + amount))
			return true;
	}
	return false;
}

/* Left to the runtime: making an aggregate's pair, making its value nonzero, and acting on limits. */
static __always_inline enum SELF(counted) SELF(count)(struct SELF(counts) *c, struct pkt *p, bool frozen)
{
	const __u32 amount = SELF(amount)(p), aggregate = pkt_anno_u32(p, AGGREGATE_ANNO);
	struct SELF(pairs) *pair;
	__u32 number;

	if (!read_once(c->active))
		return SELF(no);
	number = SELF(indexed)(pair_hash(c->key, aggregate));
	pair = number ? at(pairs, number) : NULL;
	if (!pair || pair_key(read_once(pair->word)) != aggregate)
		return number || read_once(c->outside) || !(frozen || read_once(c->frozen)) ? SELF(unknown) : SELF(no);
	if (!pair_value(read_once(pair->word)))
		return frozen || read_once(c->frozen) ? SELF(no) : SELF(unknown);
	if (!SELF(reserve)(c, amount))
		return SELF(unknown);
	if (pair_add(&pair->word, aggregate, amount))
		return SELF(yes);
	__sync_fetch_and_sub(&c->count, amount);
	return SELF(unknown);
}

#endif

ELEMENT(AggregateCounter)
{
	const enum SELF(counted) counted = SELF(count)(var(counts), p, input == 1);

	if (!USERSPACE && counted == SELF(unknown))
		return PUNT;
	return OUTPUT(counted == SELF(yes) || SELF(noutputs) == 1 ? 0 : 1);
}

#if USERSPACE

PULL()
{
	struct pkt *p = pull(output);

	if (p)
		SELF(count)(var(counts), p, output == 1);
	return p;
}

static void SELF(forget)(struct SELF(counts) *c)
{
	index_close(SELF(words));
	memset(at(buckets, 0), 0, (cfg.mask + 1ul) * sizeof(struct index_bucket));
	memset(at(pairs, 0), 0, (c->used + 1ul) * sizeof(__u64));
	c->outside = c->used = c->nonzero = 0;
	c->count = 0;
}

/* Replace the aggregates by their counts: each count becomes an aggregate, with the number of old aggregates that had it. */
static int SELF(reaggregate)(struct SELF(counts) *c)
{
	const __u32 used = c->used;
	__u64 *old = malloc((used + 1ul) * sizeof(*old)), *pair;

	if (!old)
		return -ENOMEM;
	memcpy(old, at(pairs, 0), (used + 1ul) * sizeof(*old));
	SELF(forget)(c);
	for (__u32 i = 1; i <= used; i++) {
		pair = pair_value(old[i]) ? SELF(get)(c, pair_value(old[i]), false) : NULL;
		if (!pair)
			continue;
		c->nonzero += !SELF(add)(pair, 1);
		c->count++;
	}
	free(old);
	return 0;
}

/* Index pairs that are already in shared memory. */
INIT()
{
	struct SELF(counts) *c = var(counts);

	hash_key_keep(c->key);
	*SELF(words) = (struct index){.bucket = (struct index_bucket *)at(buckets, 0), .mask = cfg.mask, .outside = &c->outside};
	c->outside = 0;
	for (__u32 i = 1; i <= c->used; i++) {
		const __u64 hash = pair_hash(c->key, pair_key(*SELF(pair)(i)));

		if (!index_has(SELF(words), hash, i) && !index_insert(SELF(words), hash, i))
			return -ENOMEM;
	}
	return 0;
}

CONTROL()
{
	if (op == SELF(REAGGREGATE))
		return SELF(reaggregate)(var(counts));
	SELF(forget)(var(counts));
	return 0;
}

CLEANUP()
{
	index_close(SELF(words));
}

#endif
