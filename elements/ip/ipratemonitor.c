/* IPRateMonitor: measures the rates of IP addresses, and of the networks that they are in. */
#include <errno.h>
#include <stdio.h>
#include "ip/ratetree.inc.h"

#define FWD_RATE_ANNO 20
#define REV_RATE_ANNO 24
#define FOLD_AT_ONCE 10		/* of the memory, where it has no limit: no more is looked for than a tenth */

static __s32 SELF(per_second)(__u64 average)
{
	return average * TREE_EPOCHS >> EWMA_SCALE;
}

static bool SELF(is_busy)(__s32 forward, __s32 reverse)
{
	return forward >= cfg.split_at || reverse >= cfg.split_at;
}

/* Split a network: the entry of the host's byte starts with the rates of the whole. */
static void SELF(split)(struct SELF(host) *host, __u8 byte)
{
	struct SELF(subnet) *subnet;
	struct SELF(host) *child;

	if (!SELF(fits)(sizeof(*host) + sizeof(*subnet)))
		return;
	subnet = SELF(new_subnet)(host);
	child = subnet ? SELF(new_host)(subnet, byte) : NULL;
	if (child) {
		*child = *host;
		child->whole_until = 0;
		child->below = NULL;
	} else if (subnet) {
		SELF(free_subnet)(subnet);
	}
}

/* Once a second. */
static void SELF(fold_sometimes)(struct SELF(tree) *tree)
{
	__u64 epoch = SELF(epoch)();

	if (epoch - tree->folded < TREE_EPOCHS)
		return;
	tree->folded = epoch;
	SELF(fold)(cfg.split_at, tree->limit ?: tree->memory - tree->memory / FOLD_AT_ONCE, random_u32() & 1);
}

static void SELF(update)(struct pkt *p, __u32 address, __u32 events, int direction)
{
	struct SELF(tree) *tree = private(tree);
	struct SELF(subnet) *subnet = tree->root;
	bool counts = (random_u32() & 0xffff) <= cfg.chance;
	struct SELF(host) *host;
	__s32 forward, reverse;
	int shift;

	for (shift = 24;; shift -= 8) {
		__u8 byte = address >> shift;

		host = subnet->branch[byte] ?: SELF(new_host)(subnet, byte);
		if (!host)
			return;
		if (counts)
			SELF(record)(host, events, direction);
		if (!host->below)
			break;
		subnet = host->below;
	}
	forward = SELF(per_second)(host->average[0]);
	reverse = SELF(per_second)(host->average[1]);
	if (cfg.anno) {
		pkt_set_anno_u32(p, FWD_RATE_ANNO, forward);
		pkt_set_anno_u32(p, REV_RATE_ANNO, reverse);
	}
	if (shift && host->whole_until < SELF(epoch)() && SELF(is_busy)(forward, reverse))
		SELF(split)(host, address >> (shift - 8));
	SELF(fold_sometimes)(tree);
}

ELEMENT(IPRateMonitor)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (ip)
		SELF(update)(p, ntohl(input ? ip->daddr : ip->saddr), cfg.packets ? 1 : ntohs(ip->tot_len), input);
	return OUTPUT(input);
}

/* A line for each host or network with traffic: its first bytes, and averages. */
static void SELF(look)(FILE *to, const struct SELF(subnet) *subnet, const char *prefix)
{
	for (int i = 0; i < TREE_BRANCHES; i++) {
		struct SELF(host) *host = subnet->branch[i];
		char name[24];

		if (!host || !(host->average[0] || host->average[1]))
			continue;
		snprintf(name, sizeof(name), "%s%d", prefix, i);
		SELF(record)(host, 0, 0);
		fprintf(to, "%s %llu %llu\n", name, host->average[0], host->average[1]);
		if (host->below) {
			snprintf(name, sizeof(name), "\t%s%d.", prefix, i);
			SELF(look)(to, host->below, name);
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
	SELF(look)(to, tree->root, "");
	return fclose(to) ? -ENOMEM : 0;
}

/* The arguments of the handler anno_level (ipratemonitor.py). */
struct SELF(hold_request) {
	__u32 address, level, seconds;
};

/* The host or network that `address` is in at a level is not to be split before an epoch. */
static void SELF(hold)(const struct SELF(hold_request) *request)
{
	struct SELF(subnet) *subnet = private(tree)->root;

	for (int level = 0; subnet; level++) {
		struct SELF(host) *host = subnet->branch[(__u8)(request->address >> (24 - 8 * level))];

		if (!host)
			return;
		if (level == (int)request->level) {
			host->whole_until = SELF(epoch)() + (__u64)request->seconds * TREE_EPOCHS;
			if (host->below)
				SELF(free_subnet)(host->below);
			return;
		}
		subnet = host->below;
	}
}

static void SELF(set_limit)(struct SELF(tree) *tree, __u64 limit)
{
	__s64 step = cfg.split_at > 5 ? cfg.split_at / 5 : 1;

	tree->limit = limit;
	for (__s64 threshold = cfg.split_at; limit && tree->memory > limit && tree->first; threshold += step)
		SELF(fold)(threshold, limit, true);
}

CONTROL()
{
	struct SELF(tree) *tree = private(tree);

	switch (op) {
	case SELF(RESET):
		SELF(free_hosts)(tree->root);
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

INIT()
{
	struct SELF(tree) *tree = private(tree);

	tree->root = SELF(new_subnet)(NULL);
	tree->since = tree->folded = SELF(epoch)();
	return tree->root ? 0 : -ENOMEM;
}

CLEANUP()
{
	SELF(free_subnet)(private(tree)->root);
}
