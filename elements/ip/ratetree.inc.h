/* Rates of IP addresses and of the networks that they are in (IPRateMonitor): a tree with 256 branches at each byte of the
 * address, that goes deeper only where there is much traffic; included once for each instance.
 *
 * The state `tree` = Private(root, first, last = ptr, memory, limit, refused, ...) is its root, the list of all subnets but the root
 * in the order of their age, the bytes that it uses and may use (0: TREE_MOST), and how often that was too little.
 */
#include <stdlib.h>
#include "common/clock.h"
#include "common/ewma.h"

#define TREE_EPOCH (8 * NS_PER_MS)
#define TREE_EPOCHS 125	/* in a second */
#define TREE_SHIFT 5	/* an epoch weighs 1/32 */
#define TREE_BRANCHES 256
#define TREE_MOST (256ull << 20)

struct SELF(subnet);

struct SELF(host) {
	__u64 average[2];	/* an epoch, of packets from and to; EWMA_SCALE bits of fraction */
	__u64 current[2];	/* in this epoch */
	__u64 epoch;
	__u64 whole_until;	/* the epoch before which it isn't split */
	struct SELF(subnet) *below;
};

struct SELF(subnet) {
	struct SELF(host) *above;
	struct SELF(subnet) *older, *younger;
	struct SELF(host) *branch[TREE_BRANCHES];
};

static inline __u64 SELF(epoch)(void)
{
	return now() / TREE_EPOCH;
}

/* Count events in one direction; what was counted in epochs that are over goes into the averages. */
static void SELF(record)(struct SELF(host) *host, __u32 events, int direction)
{
	__u64 epoch = SELF(epoch)();

	if (epoch != host->epoch) {
		for (int i = 0; i < 2; i++) {
			host->average[i] = ewma_update(host->average[i], host->current[i], TREE_SHIFT);
			host->average[i] = ewma_decay(host->average[i], epoch - host->epoch - 1, TREE_SHIFT);
			host->current[i] = 0;
		}
		host->epoch = epoch;
	}
	host->current[direction] += events;
}

static bool SELF(fits)(__u64 bytes)
{
	struct SELF(tree) *tree = private(tree);
	const bool fits = tree->memory + bytes <= (tree->limit ?: TREE_MOST);

	tree->refused += !fits;
	return fits;
}

static struct SELF(host) *SELF(new_host)(struct SELF(subnet) *subnet, __u8 byte)
{
	struct SELF(host) *host = SELF(fits)(sizeof(*host)) ? calloc(1, sizeof(*host)) : NULL;

	if (!host)
		return NULL;
	host->epoch = SELF(epoch)();
	private(tree)->memory += sizeof(*host);
	subnet->branch[byte] = host;
	return host;
}

static struct SELF(subnet) *SELF(new_subnet)(struct SELF(host) *above)
{
	struct SELF(tree) *tree = private(tree);
	struct SELF(subnet) *subnet = calloc(1, sizeof(*subnet)), *last = tree->last;

	if (!subnet)
		return NULL;
	tree->memory += sizeof(*subnet);
	subnet->above = above;
	if (!above)
		return subnet;
	above->below = subnet;
	subnet->older = last;
	if (last)
		last->younger = subnet;
	else
		tree->first = subnet;
	tree->last = subnet;
	return subnet;
}

static void SELF(free_subnet)(struct SELF(subnet) *subnet);

static void SELF(free_hosts)(struct SELF(subnet) *subnet)
{
	for (int i = 0; i < TREE_BRANCHES; i++) {
		struct SELF(host) *host = subnet->branch[i];

		if (!host)
			continue;
		if (host->below)
			SELF(free_subnet)(host->below);
		private(tree)->memory -= sizeof(*host);
		subnet->branch[i] = NULL;
		free(host);
	}
}

static void SELF(free_subnet)(struct SELF(subnet) *subnet)
{
	struct SELF(tree) *tree = private(tree);

	SELF(free_hosts)(subnet);
	if (subnet->above) {
		subnet->above->below = NULL;
		*(subnet->older ? &subnet->older->younger : (struct SELF(subnet) **)&tree->first) = subnet->younger;
		*(subnet->younger ? &subnet->younger->older : (struct SELF(subnet) **)&tree->last) = subnet->older;
	}
	tree->memory -= sizeof(*subnet);
	free(subnet);
}

/* Remove subtrees with rates below `threshold`, until at most this many bytes are used. It may visit all subnets, as many as
 * MEMORY has room for; packets cause it at most once a second.
 */
static void SELF(fold)(__s64 threshold, __u64 memory, bool forward)
{
	struct SELF(tree) *tree = private(tree);
	struct SELF(subnet) *subnet = forward ? tree->first : tree->last;

	while (subnet && tree->memory > memory) {
		struct SELF(host) *host = subnet->above;
		struct SELF(subnet) *older = subnet->older;

		SELF(record)(host, 0, 0);
		if ((__s64)host->average[0] >= threshold || (__s64)host->average[1] >= threshold) {
			subnet = forward ? subnet->younger : older;
			continue;
		}
		SELF(free_subnet)(subnet);	/* and those below it, which are all younger */
		if (forward)
			subnet = older ? older->younger : tree->first;
		else
			subnet = older;
	}
}
