/* AddressTranslator's table: mappings found by an index (tables/index.h), in both directions. No include guard: the text is
 * compiled for each instance.
 *
 * Side 0 has the inner address, of outgoing packets; side 1 the mapped one, of incoming packets. Only the runtime makes mappings.
 * The kernel path detects reuse of a number while it reads a mapping by the generation, which is odd while the mapping exists.
 */
#include "ip6/icmp6.h"
#include "tables/index.h"

/* The kernel path updates `seen` only when it is older than this. */
#define MAPPING_SEEN_STEP 1000000ll
/* The most steps for one packet to find a replaceable mapping. */
#define MAPPING_STEPS 64

/* The key of a packet's mapping: the address to be replaced, its port, and the peer. */
struct SELF(key) {
	__u8 address[16], other[16];
	__be16 port, other_port;
	__u8 protocol;
	bool has_ports;		/* of TCP or UDP */
	bool has_identifier;	/* of a ping, in place of ports */
};

struct SELF(target) {
	__u8 address[16];
	__be16 port;
};

static __always_inline __u64 SELF(hash)(const struct SELF(vars) *vars, const struct SELF(key) *key, const __u8 kind, const int side)
{
	__u64 hash = siphash13_2(vars->key, ip6_high(key->address), ip6_low(key->address));
	__u64 more = (__u64)kind << 56 | (__u64)side << 48;

	if (kind != SELF(ADDRESSES))
		more |= key->port;
	if (kind == SELF(FLOWS)) {
		hash = siphash13_2(vars->key, hash ^ ip6_high(key->other), ip6_low(key->other));
		more |= (__u64)key->other_port << 16 | (__u64)key->protocol << 32;
	}
	return index_hash(vars->key, hash, more);
}

/* Translates by the mapping; false if the mapping isn't the packet's, or is being changed. */
static __always_inline bool SELF(read)(const struct SELF(mappings) *m, const struct SELF(key) *key, const __u8 kind, const int side,
				       struct SELF(target) *target)
{
	const __u32 generation = read_once(m->generation);
	bool same;

	asm volatile("" ::: "memory");
	same = m->kind == kind && ip6_equal(side ? m->mapped : m->inner, key->address);
	if (kind != SELF(ADDRESSES))
		same = same && (side ? m->mapped_port : m->inner_port) == key->port;
	if (kind == SELF(FLOWS))
		same = same && ip6_equal(m->other, key->other) && m->other_port == key->other_port && m->protocol == key->protocol;
	ip6_copy(target->address, side ? m->inner : m->mapped);
	target->port = kind == SELF(ADDRESSES) ? key->port : side ? m->inner_port : m->mapped_port;
	asm volatile("" ::: "memory");
	return same && generation & 1 && read_once(m->generation) == generation;
}

/* A keyed hash of an address. Not inlined, since packets of answered mappings don't need it. */
static __attribute__((noinline)) __u64 SELF(name_of)(const struct SELF(vars) *vars, __u64 high, __u64 low)
{
	return siphash13_2(vars->key, high, low);
}

/* Remember the peer of an unanswered mapping: only the peer that was asked last may answer. The mapping of a flow has one peer anyway. */
static __always_inline void SELF(await)(struct SELF(mappings) *m, const struct SELF(key) *key, const int side)
{
	const struct SELF(vars) *vars = var(vars);
	const __u64 peer = m->kind == SELF(ADDRESSES) ? SELF(name_of)(vars, ip6_high(key->other), ip6_low(key->other)) : 0;

	if (side != cfg.asker && read_once(m->asked) == peer)
		write_once(m->answered, 1);
	else if (side == cfg.asker && read_once(m->asked) != peer)
		write_once(m->asked, peer);
}

/* Update a mapping for a packet that came in on a side. */
static __always_inline void SELF(touch)(struct SELF(mappings) *m, const struct SELF(key) *key, const int side)
{
	const __u64 time = now_coarse();

	if (!read_once(m->answered))
		SELF(await)(m, key, side);
	if (USERSPACE || (__s64)(time - m->seen) > MAPPING_SEEN_STEP)
		write_once(m->seen, time);
}

#if USERSPACE
#include "ip6/shares.inc.h"

LASTING(struct index, index_of_all);

static struct SELF(mappings) *SELF(look)(const struct SELF(key) *key, const __u8 kind, const int side, struct SELF(target) *target,
					bool *unsure)
{
	const __u64 hash = SELF(hash)(var(vars), key, kind, side);
	__u32 state = 0, number;

	(void)unsure;
	while ((number = index_next(SELF(index_of_all), hash, &state)))
		if (SELF(read)(at(mappings, number), key, kind, side, target))
			return at(mappings, number);
	return NULL;
}

/* The key of a mapping's packets. */
static struct SELF(key) SELF(key_of)(const struct SELF(mappings) *m, int side)
{
	struct SELF(key) key = {.port = side ? m->mapped_port : m->inner_port, .other_port = m->other_port, .protocol = m->protocol};

	ip6_copy(key.address, side ? m->mapped : m->inner);
	ip6_copy(key.other, m->other);
	return key;
}

/* The host that has caused a mapping, which is counted for it if `shared`. */
static __u64 SELF(asker_of)(const struct SELF(mappings) *m)
{
	return SELF(host_of)(cfg.asker ? m->mapped : m->inner);
}

static void SELF(share)(struct SELF(mappings) *m)
{
	m->shared = SELF(share_more)(SELF(asker_of)(m));
}

static void SELF(publish)(struct SELF(mappings) *m, __u32 number)
{
	for (int side = 0; side < 2; side++) {
		const struct SELF(key) key = SELF(key_of)(m, side);
		const __u64 hash = SELF(hash)(var(vars), &key, m->kind, side);

		if (!index_has(SELF(index_of_all), hash, number))
			index_insert(SELF(index_of_all), hash, number);
	}
}

static void SELF(end)(struct SELF(mappings) *m, __u32 number)
{
	for (int side = 0; side < 2; side++) {
		const struct SELF(key) key = SELF(key_of)(m, side);

		index_remove(SELF(index_of_all), SELF(hash)(var(vars), &key, m->kind, side), number);
	}
	if (m->shared)
		SELF(share_less)(SELF(asker_of)(m));
	m->shared = false;
	__atomic_store_n(&m->generation, m->generation + 1, __ATOMIC_SEQ_CST);
}

/* RFC 6146, 4: TCP_TRANS. */
#define MAPPING_UNANSWERED 240000000000ull

static bool SELF(is_over)(const struct SELF(mappings) *m)
{
	const __u64 stays = m->answered || cfg.timeout < MAPPING_UNANSWERED ? cfg.timeout : MAPPING_UNANSWERED;

	return now() - m->seen > stays && now() > m->seen;
}

/* Whether a host may have another mapping. If its share is used up, end some expired mappings, of any host; the next packet
 * continues from there.
 */
static bool SELF(may_have_more)(const __u8 *address)
{
	const __u64 host = SELF(host_of)(address);

	for (int step = 0; step < MAPPING_STEPS && SELF(has_its_share)(host); step++) {
		const __u32 number = cfg.statics + 1 + private(shares)->swept++ % (cfg.numbers - cfg.statics);
		struct SELF(mappings) *m = at(mappings, number);

		if (m->generation & 1 && SELF(is_over)(m))
			SELF(end)(m, number);
	}
	return !SELF(has_its_share)(host);
}

/* A number for a new mapping: the first never used, or else the next expired one; 0 if there is none within MAPPING_STEPS. */
static __u32 SELF(number)(void)
{
	struct SELF(vars) *vars = var(vars);

	for (int step = 0; step < MAPPING_STEPS && cfg.numbers > cfg.statics; step++) {
		const __u32 number = cfg.statics + 1 + vars->next % (cfg.numbers - cfg.statics);
		struct SELF(mappings) *m = at(mappings, number);

		vars->next++;
		if (!(m->generation & 1))
			return number;
		if (SELF(is_over)(m)) {
			SELF(end)(m, number);
			return number;
		}
	}
	return 0;
}

/* Makes a mapping with number `number` of the pool for packets with this key, from the side that causes mappings. */
static void SELF(begin)(__u32 number, const struct SELF(key) *key)
{
	struct SELF(mappings) *m = at(mappings, number);

	ip6_copy(cfg.asker ? m->mapped : m->inner, key->address);
	if (cfg.dynamic_kind == SELF(FLOWS)) {
		*(cfg.asker ? &m->mapped_port : &m->inner_port) = key->port;
		ip6_copy(m->other, key->other);
		m->other_port = key->other_port;
		m->protocol = key->protocol;
	}
	m->seen = now();
	m->answered = 0;
	m->asked = 0;
	SELF(share)(m);
	__atomic_store_n(&m->generation, m->generation + 1, __ATOMIC_SEQ_CST);
	SELF(publish)(m, number);
}

static struct SELF(mappings) *SELF(make)(const struct SELF(key) *key, struct SELF(target) *target)
{
	const __u32 number = SELF(may_have_more)(key->address) ? SELF(number)() : 0;
	struct SELF(mappings) *m = at(mappings, number);

	if (!number)
		return NULL;
	SELF(begin)(number, key);
	SELF(read)(m, key, cfg.dynamic_kind, cfg.asker, target);
	return m;
}

INIT()
{
	struct SELF(vars) *vars = var(vars);

	hash_key_keep(vars->key);
	*SELF(index_of_all) = (struct index){
		.bucket = (struct index_bucket *)at(buckets, 0), .mask = cfg.mask, .outside = &vars->outside,
	};
	for (__u32 number = 1; number <= cfg.numbers; number++) {
		struct SELF(mappings) *m = at(mappings, number);

		if (!(m->generation & 1))
			continue;
		SELF(publish)(m, number);
		if (number > cfg.statics)
			SELF(share)(m);
	}
	return 0;
}

CLEANUP()
{
	index_close(SELF(index_of_all));
	table_clear(SELF(shares)());
}

/* Adopts an earlier router's mapping; its `number` is the one in this router. */
static void SELF(adopt)(const struct SELF(mappings) *old)
{
	const struct SELF(key) key = SELF(key_of)(old, cfg.asker);
	struct SELF(mappings) *m = at(mappings, old->number);

	if (!m || m->generation & 1)
		return;
	SELF(begin)(old->number, &key);
	m->seen = old->seen;
	m->answered = old->answered;
	m->asked = old->asked;
}

CONTROL()
{
	if (op == SELF(ADOPT))
		SELF(adopt)((const void *)argument);
	else
		var(vars)->outside = SELF(index_of_all)->used;
	return 0;
}
#else
#include "tables/indexed.inc.h"

/* Find a mapping. Sets *unsure if there may be one that only the runtime finds. */
static __always_inline struct SELF(mappings) *SELF(look)(const struct SELF(key) *key, const __u8 kind, const int side,
							struct SELF(target) *target, bool *unsure)
{
	const __u32 number = SELF(indexed)(SELF(hash)(var(vars), key, kind, side));
	struct SELF(mappings) *m = number ? at(mappings, number) : NULL;

	if (m && SELF(read)(m, key, kind, side, target))
		return m;
	*unsure |= number || var(vars)->outside;
	return NULL;
}
#endif

#undef MAPPING_SEEN_STEP
#undef MAPPING_STEPS
#undef MAPPING_UNANSWERED
