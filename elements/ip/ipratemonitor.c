#include "ip/ratetree.inc.h"

#define FWD_RATE_ANNO 20
#define REV_RATE_ANNO 24
#define FOLD_AT_ONCE 10		/* without a limit, fold at most a tenth of the memory at a time */
#define LEVELS 4		/* the bytes of an address */

/* The networks that contain an address, and its host, as far as they are kept: the last one is at `level`. */
struct SELF(way) {
	struct SELF(hosts) *host[LEVELS];
	int level;
};

static __always_inline __u8 SELF(byte)(__u32 address, int level)
{
	return address >> (24 - 8 * level);
}

static __always_inline __s64 SELF(per_second)(__u64 average)
{
	return average * TREE_EPOCHS >> EWMA_SCALE;
}

static __always_inline bool SELF(is_busy)(__s64 forward, __s64 reverse)
{
	return forward >= cfg.split_at || reverse >= cfg.split_at;
}

/* A rate for the annotation, which is signed: the largest is 17 Gbit/s, counted in bytes. */
static __always_inline __u32 SELF(annotated)(__s64 rate)
{
	return rate > __INT32_MAX__ ? __INT32_MAX__ : rate;
}

static __always_inline void SELF(annotate)(struct pkt *p, __s64 forward, __s64 reverse)
{
	if (!cfg.anno)
		return;
	pkt_set_anno_u32(p, FWD_RATE_ANNO, SELF(annotated)(forward));
	pkt_set_anno_u32(p, REV_RATE_ANNO, SELF(annotated)(reverse));
}

static __always_inline bool SELF(is_counted)(void)
{
	return cfg.chance >= 0xffff || (random_u32() & 0xffff) <= cfg.chance;
}

#if USERSPACE

#include <errno.h>
#include <stdio.h>

/* Split a network: the entry for `byte` starts with the rates of the whole. */
static void SELF(split)(__u32 number, __u8 byte)
{
	struct SELF(hosts) *host = SELF(host)(number), *child;
	__u32 subnet, below;

	if (!SELF(fits)(SELF(FOR_SPLIT)))
		return;
	subnet = SELF(new_subnet)(number);
	below = SELF(new_host)(SELF(subnet)(subnet), byte);
	child = SELF(host)(below);
	*child = *host;
	child->whole_until = 0;
	child->below = 0;
	__atomic_store_n(&host->below, subnet, __ATOMIC_RELEASE);
}

static bool SELF(update)(struct pkt *p, __u32 address, __u32 events, int direction)
{
	const bool counts = SELF(is_counted)();
	const __u64 epoch = SELF(epoch)();
	__u32 subnet = TREE_ROOT, number;
	struct SELF(hosts) *host;
	__s64 forward, reverse;
	int level;

	for (level = 0;; level++) {
		const __u8 byte = SELF(byte)(address, level);

		number = SELF(subnet)(subnet)->branch[byte] ?: SELF(new_host)(SELF(subnet)(subnet), byte);
		host = SELF(host)(number);
		if (!host)
			return true;
		if (counts)
			SELF(record)(host, epoch, events, direction);
		if (!host->below)
			break;
		subnet = host->below;
	}
	forward = SELF(per_second)(host->average[0]);
	reverse = SELF(per_second)(host->average[1]);
	SELF(annotate)(p, forward, reverse);
	if (level < LEVELS - 1 && host->whole_until < epoch && SELF(is_busy)(forward, reverse))
		SELF(split)(number, SELF(byte)(address, level + 1));
	return true;
}

#else

/* Fill in `way` for an address. False if its last entry doesn't exist yet. */
static __always_inline bool SELF(find)(struct SELF(way) *way, __u32 address)
{
	__u32 number = TREE_ROOT;

#pragma clang loop unroll(full)
	for (int level = 0; level < LEVELS; level++) {
		struct SELF(subnets) *subnet = at(subnets, number);

		number = subnet ? read_once(subnet->branch[SELF(byte)(address, level)]) : 0;
		way->level = level;
		way->host[level] = number ? at(hosts, number) : NULL;
		if (!way->host[level])
			return false;
		number = read_once(way->host[level]->below);
		if (!number)
			break;
	}
	return true;
}

/* Count at all existing levels. */
static __always_inline void SELF(record_all)(const struct SELF(way) *way, __u64 epoch, __u32 events, int direction)
{
#pragma clang loop unroll(full)
	for (int level = 0; level < LEVELS; level++)
		if (level <= way->level && way->host[level])
			SELF(record)(way->host[level], epoch, events, direction);
}

static __always_inline void SELF(refuse)(void)
{
	__sync_fetch_and_add(&var(shared)->refused, 1);
}

/* False, with nothing changed, if the runtime has to make room for a host or a network. */
static __always_inline bool SELF(update)(struct pkt *p, __u32 address, __u32 events, int direction)
{
	const __u8 room = read_once(var(shared)->room);
	const bool counts = SELF(is_counted)();
	const __u64 epoch = SELF(epoch)();
	struct SELF(way) way = {};
	__s64 rate[2];
	bool splits;

	if (!SELF(find)(&way, address)) {
		if (room & SELF(FOR_HOST))
			return false;
		SELF(refuse)();
		if (counts)
			SELF(record_all)(&way, epoch, events, direction);
		return true;
	}
	rate[0] = rate[1] = 0;
	splits = false;
#pragma clang loop unroll(full)
	for (int level = 0; level < LEVELS; level++) {
		struct SELF(hosts) *host = way.host[level];

		if (level != way.level || !host)
			continue;
		for (int i = 0; i < 2; i++)
			rate[i] = SELF(per_second)(counts ? SELF(average)(host, epoch, i) : read_once(host->average[i]));
		splits = level < LEVELS - 1 && read_once(host->whole_until) < epoch && SELF(is_busy)(rate[0], rate[1]);
	}
	if (splits && room & SELF(FOR_SPLIT))
		return false;
	if (splits)
		SELF(refuse)();
	if (counts)
		SELF(record_all)(&way, epoch, events, direction);
	SELF(annotate)(p, rate[0], rate[1]);
	return true;
}

#endif

ELEMENT(IPRateMonitor)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (ip && !SELF(update)(p, ntohl(input ? ip->daddr : ip->saddr), cfg.packets ? 1 : ntohs(ip->tot_len), input))
		return PUNT;
	return OUTPUT(input);
}

#if USERSPACE

/* A line for each host or network with traffic: its first bytes, and averages. */
static void SELF(look)(FILE *to, const struct SELF(subnets) *subnet, const char *prefix)
{
	for (int i = 0; i < TREE_BRANCHES; i++) {
		struct SELF(hosts) *host = SELF(host)(subnet->branch[i]);
		char name[24];

		if (!host || !(host->average[0] || host->average[1]))
			continue;
		snprintf(name, sizeof(name), "%s%d", prefix, i);
		SELF(record)(host, SELF(epoch)(), 0, 0);
		fprintf(to, "%s %llu %llu\n", name, host->average[0], host->average[1]);
		if (host->below) {
			snprintf(name, sizeof(name), "\t%s%d.", prefix, i);
			SELF(look)(to, SELF(subnet)(host->below), name);
		}
	}
}

static int SELF(write_text)(struct SELF(tree) *tree)
{
	size_t length;
	FILE *to = open_memstream((char **)&tree->text, &length);

	if (!to)
		return -ENOMEM;
	fprintf(to, "%llu\n", SELF(epoch)() - tree->since);
	SELF(look)(to, SELF(subnet)(TREE_ROOT), "");
	return fclose(to) ? -ENOMEM : 0;
}

/* The arguments of the handler anno_level (ipratemonitor.py). */
struct SELF(hold_request) {
	__u32 address, level, seconds;
};

/* Don't split the network of `address` at a level before some epoch. */
static void SELF(hold)(const struct SELF(hold_request) *request)
{
	struct SELF(subnets) *subnet = SELF(subnet)(TREE_ROOT);

	for (int level = 0; subnet; level++) {
		struct SELF(hosts) *host = SELF(host)(subnet->branch[SELF(byte)(request->address, level)]);

		if (!host)
			return;
		if (level == (int)request->level) {
			host->whole_until = SELF(epoch)() + (__u64)request->seconds * TREE_EPOCHS;
			if (host->below)
				SELF(free_subnet)(host->below);
			return;
		}
		subnet = SELF(subnet)(host->below);
	}
}

/* Fold networks with ever more traffic until there is room. The threshold grows by a fifth at a time: some 150 steps reach any
 * rate.
 */
static void SELF(set_limit)(struct SELF(tree) *tree, __u64 limit)
{
	__s64 threshold = cfg.split_at > 0 ? cfg.split_at : 0;

	tree->limit = limit;
	SELF(use)(0);
	while (limit && tree->memory > limit && tree->first) {
		SELF(fold)(threshold, limit, true);
		threshold += threshold > 5 ? threshold / 5 : 1;
	}
}

CONTROL()
{
	struct SELF(tree) *tree = private(tree);

	switch (op) {
	case SELF(RESET):
		SELF(free_hosts)(SELF(subnet)(TREE_ROOT));
		tree->since = SELF(epoch)();
		return 0;
	case SELF(LOOK):
		return SELF(write_text)(tree);
	case SELF(FORGET):
		free(tree->text);
		tree->text = NULL;
		return 0;
	case SELF(LIMIT):
		SELF(set_limit)(tree, argument);
		return 0;
	case SELF(HOLD):
		SELF(hold)((const struct SELF(hold_request) *)argument);
		return 0;
	}
	return -EINVAL;
}

/* An earlier runtime may have left a tree. */
INIT()
{
	struct SELF(shared) *shared = var(shared);

	memset(at(hosts, 0), 0, (shared->hosts + 1ul) * TREE_HOST);
	memset(at(subnets, 0), 0, (shared->subnets + 1ul) * TREE_SUBNET);
	shared->hosts = shared->subnets = 0;
	SELF(new_subnet)(0);
	private(tree)->since = SELF(epoch)();
	timer_after(NS_PER_SECOND);
	return 0;
}

/* Once a second, fold networks with little traffic, so that packets needn't wait for that. */
TIMER()
{
	const struct SELF(tree) *tree = private(tree);

	SELF(fold)(cfg.split_at, tree->limit ?: tree->memory - tree->memory / FOLD_AT_ONCE, random_u32() & 1);
	timer_after(NS_PER_SECOND);
}

#endif
