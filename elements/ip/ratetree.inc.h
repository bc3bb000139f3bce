/* Rates of IP addresses and of their networks (IPRateMonitor): a tree with 256 branches at each byte of the address, deep only
 * where there is much traffic. Included once for each instance.
 *
 * Both executors count in the tree; only the runtime changes its branches. The states are `hosts`, the rates of hosts or networks;
 * `subnets`, networks that are split; `shared`; and `tree`, private. Both arrays are numbered from 1; subnet 1 is the root. `tree`
 * has the list of all subnets but the root by age (first, last), free numbers (free_host, free_subnet), and the bytes used and
 * allowed (memory, limit; 0 for no limit). Counting is atomic; a packet under way while a network is folded may be counted for
 * another one.
 */
#include "common/clock.h"
#include "common/ewma.h"

#define TREE_EPOCH (8 * NS_PER_MS)
#define TREE_EPOCHS 125	/* in a second */
#define TREE_SHIFT 5	/* an epoch's weight is 1/32 */
#define TREE_BRANCHES 256
#define TREE_ROOT 1

/* Bytes in use by each. */
#define TREE_HOST sizeof(struct SELF(hosts))
#define TREE_SUBNET sizeof(struct SELF(subnets))

/* Bits of `room`: there is memory for another host; for another network with a host. */
enum { SELF(FOR_HOST) = 1, SELF(FOR_SPLIT) = 2 };

static __always_inline __u64 SELF(epoch)(void)
{
	return now() / TREE_EPOCH;
}

/* The average after some epochs, with `count` events in the first of them. Out of line in the kernel: otherwise the verifier would
 * follow each number of epochs on each of many paths.
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

/* The current average in a direction. */
static __always_inline __u64 SELF(average)(const struct SELF(hosts) *host, __u64 epoch, int direction)
{
	const __s64 epochs = epoch - read_once(host->epoch);
	const __u64 average = read_once(host->average[direction]);

	return epochs > 0 ? SELF(advanced)(average, read_once(host->current[direction]), epochs) : average;
}

/* Count events in one direction. The first to notice that an epoch is over adds its events to the averages. */
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

/* The bytes that the tree may use, within the room of the states. */
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
	if (tree->memory + TREE_HOST <= most)
		room |= SELF(FOR_HOST);
	if (tree->memory + TREE_HOST + TREE_SUBNET <= most)
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

/* Take an unused number of a state, and zero its value; unused values are linked by their member `next`. */
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
	SELF(use)(TREE_HOST);
	__atomic_store_n(&subnet->branch[byte], number, __ATOMIC_RELEASE);
	return number;
}

static __u32 SELF(new_subnet)(__u32 above)
{
	struct SELF(tree) *tree = private(tree);
	const __u32 number = take_number(subnets, tree->free_subnet, var(shared)->subnets, above);
	struct SELF(subnets) *subnet = SELF(subnet)(number);

	SELF(use)(TREE_SUBNET);
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
		SELF(use)(-(__s64)TREE_HOST);
	}
}

/* Free a subnet other than the root. A free host's `below` links to the next free host, or is 0. */
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
	SELF(use)(-(__s64)TREE_SUBNET);
}

/* Remove subtrees with rates below `threshold`, until at most `memory` bytes are used. May visit all subnets, as many as MEMORY has
 * room for.
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
		SELF(free_subnet)(number);	/* and its descendants, which are all younger */
		if (forward)
			number = older ? SELF(subnet)(older)->younger : tree->first;
		else
			number = older;
	}
}

#endif
