/* Rates of IP addresses and of the networks that they are in (IPRateMonitor): a tree with 256 branches at each byte of the
 * address, that goes deeper only where there is much traffic; included once for each instance.
 *
 * Both executors count in the tree; only the runtime changes its branches. The states are `hosts`, the rates of a host or a network,
 * and `subnets`, networks whose hosts are looked at one by one, both from number 1 on, which of subnets is the root; `shared`; and
 * `tree` = Private(first, last, free_host, free_subnet, memory, limit, ...): the list of all subnets but the root in the order of their
 * age, unused numbers, the bytes that it uses and may use (0: all). Two CPUs that count at the same moment lose nothing; a packet
 * that is on its way while a network is given up may count for another one.
 */
#include "common/clock.h"
#include "common/ewma.h"

#define TREE_EPOCH (8 * NS_PER_MS)
#define TREE_EPOCHS 125	/* in a second */
#define TREE_SHIFT 5	/* an epoch weighs 1/32 */
#define TREE_BRANCHES 256
#define TREE_ROOT 1

_Static_assert(sizeof(struct SELF(hosts)) == SELF(HOST) && sizeof(struct SELF(subnets)) == SELF(SUBNET), "ipratemonitor.py");

/* Of `room`: whether there is memory for another host, and for another network with one. */
enum { SELF(FOR_HOST) = 1, SELF(FOR_SPLIT) = 2 };

static __always_inline __u64 SELF(epoch)(void)
{
	return now() / TREE_EPOCH;
}

/* What an average becomes when epochs are over, in the first of which so much was counted. In the kernel a function by itself: the
 * verifier would follow each number of epochs on each of many paths.
 */
#if USERSPACE
static inline
#else
__attribute__((noinline))
#endif
__u64 SELF(advanced)(__u64 average, __u64 counted, __u64 epochs)
{
	return ewma_decay(ewma_update(average, counted, TREE_SHIFT), epochs - 1, TREE_SHIFT);
}

/* The average in a direction as it is in this epoch. */
static __always_inline __u64 SELF(average)(const struct SELF(hosts) *host, __u64 epoch, int direction)
{
	const __s64 epochs = epoch - read_once(host->epoch);
	const __u64 average = read_once(host->average[direction]);

	return epochs > 0 ? SELF(advanced)(average, read_once(host->current[direction]), epochs) : average;
}

/* Count events in one direction; what was counted in epochs that are over goes into the averages, by the first who notices. */
static __always_inline void SELF(record)(struct SELF(hosts) *host, __u64 epoch, __u32 events, int direction)
{
	const __u64 before = read_once(host->epoch);

	if ((__s64)(epoch - before) > 0 && __sync_bool_compare_and_swap(&host->epoch, before, epoch))
		for (int i = 0; i < 2; i++) {
			const __u64 counted = __sync_fetch_and_and(&host->current[i], 0);

			write_once(host->average[i], SELF(advanced)(host->average[i], counted, epoch - before));
		}
	if (events)
		__sync_fetch_and_add(&host->current[direction], events);
}

#if USERSPACE

#include <stdlib.h>
#include <string.h>

static struct SELF(hosts) *SELF(host)(__u32 number)
{
	return number ? at(hosts, number) : NULL;
}

static struct SELF(subnets) *SELF(subnet)(__u32 number)
{
	return number ? at(subnets, number) : NULL;
}

/* The bytes that it may use: the states have room for that. */
static __u64 SELF(most)(const struct SELF(tree) *tree)
{
	return tree->limit && tree->limit < cfg.most ? tree->limit : cfg.most;
}

static void SELF(use)(__s64 bytes)
{
	struct SELF(tree) *tree = private(tree);
	const __u64 most = SELF(most)(tree);
	__u8 room = 0;

	tree->memory += bytes;
	if (tree->memory + SELF(HOST) <= most)
		room |= SELF(FOR_HOST);
	if (tree->memory + SELF(HOST) + SELF(SUBNET) <= most)
		room |= SELF(FOR_SPLIT);
	write_once(var(shared)->room, room);
}

static bool SELF(fits)(__u8 what)
{
	const bool fits = var(shared)->room & what;

	if (!fits)
		__atomic_fetch_add(&var(shared)->refused, 1, __ATOMIC_RELAXED);
	return fits;
}

/* An unused number of a state, whose value becomes zero; `next` is where an unused one has the number of another. */
#define take_number(state, free, used, next)                                  \
	({                                                                    \
		const __u32 number_ = (free) ?: ++(used);                     \
		struct SELF(state) *value_ = at(state, number_);              \
                                                                              \
		if (free)                                                     \
			(free) = value_->next;                                \
		memset(value_, 0, sizeof(*value_));                           \
		number_;                                                      \
	})

/* A host's number, or 0 if there is no room for another. */
static __u32 SELF(new_host)(struct SELF(subnets) *subnet, __u8 byte)
{
	struct SELF(tree) *tree = private(tree);
	__u32 number;

	if (!SELF(fits)(SELF(FOR_HOST)))
		return 0;
	number = take_number(hosts, tree->free_host, var(shared)->hosts, below);
	SELF(host)(number)->epoch = SELF(epoch)();
	SELF(use)(SELF(HOST));
	__atomic_store_n(&subnet->branch[byte], number, __ATOMIC_RELEASE);
	return number;
}

static __u32 SELF(new_subnet)(__u32 above)
{
	struct SELF(tree) *tree = private(tree);
	const __u32 number = take_number(subnets, tree->free_subnet, var(shared)->subnets, above);
	struct SELF(subnets) *subnet = SELF(subnet)(number);

	SELF(use)(SELF(SUBNET));
	if (!above)
		return number;
	subnet->above = above;
	subnet->older = tree->last;
	*(tree->last ? &SELF(subnet)(tree->last)->younger : &tree->first) = number;
	tree->last = number;
	return number;
}

#undef take_number

static void SELF(free_subnet)(__u32 number);

static void SELF(free_hosts)(struct SELF(subnets) *subnet)
{
	struct SELF(tree) *tree = private(tree);

	for (int i = 0; i < TREE_BRANCHES; i++) {
		const __u32 number = subnet->branch[i];
		struct SELF(hosts) *host = SELF(host)(number);

		if (!host)
			continue;
		write_once(subnet->branch[i], 0);
		if (host->below)
			SELF(free_subnet)(host->below);
		host->below = tree->free_host;
		tree->free_host = number;
		SELF(use)(-(__s64)SELF(HOST));
	}
}

/* All but the root can be given up. A free host's `below` is 0, or links to the next free host. */
static void SELF(free_subnet)(__u32 number)
{
	struct SELF(tree) *tree = private(tree);
	struct SELF(subnets) *subnet = SELF(subnet)(number);

	write_once(SELF(host)(subnet->above)->below, 0);
	SELF(free_hosts)(subnet);
	*(subnet->older ? &SELF(subnet)(subnet->older)->younger : &tree->first) = subnet->younger;
	*(subnet->younger ? &SELF(subnet)(subnet->younger)->older : &tree->last) = subnet->older;
	subnet->above = tree->free_subnet;
	tree->free_subnet = number;
	SELF(use)(-(__s64)SELF(SUBNET));
}

/* Remove subtrees with rates below `threshold`, until at most this many bytes are used. It may visit all subnets, as many as
 * MEMORY has room for.
 */
static void SELF(fold)(__s64 threshold, __u64 memory, bool forward)
{
	struct SELF(tree) *tree = private(tree);
	__u32 number = forward ? tree->first : tree->last;

	while (number && tree->memory > memory) {
		struct SELF(subnets) *subnet = SELF(subnet)(number);
		struct SELF(hosts) *host = SELF(host)(subnet->above);
		const __u32 older = subnet->older;

		SELF(record)(host, SELF(epoch)(), 0, 0);
		if ((__s64)host->average[0] >= threshold || (__s64)host->average[1] >= threshold) {
			number = forward ? subnet->younger : older;
			continue;
		}
		SELF(free_subnet)(number);	/* and those below it, which are all younger */
		if (forward)
			number = older ? SELF(subnet)(older)->younger : tree->first;
		else
			number = older;
	}
}

#endif
