/* Routing a packet by Linux's routes. No include guard: the text is compiled for each instance, under its own name, after
 * definitions of SELF(flow), which gives the words that identify a flow, and SELF(send_to), which sets the packet's gateway.
 */
#include "ip/trie.inc.h"
#include "linux/hops.h"
#include "siphash.h"

static __always_inline int SELF(to_linux)(void)
{
	return SELF(noutputs) > cfg.devices ? OUTPUT(cfg.devices) : DROP(NO_ROUTE);
}

/* The result for a hop without an output. */
static __always_inline int SELF(nowhere)(__u64 word)
{
	return hop_kind(word) == HOP_BLACKHOLE ? DROP(FILTERED) : SELF(to_linux)();
}

/* The hop of a group for the packet's flow. */
static __always_inline const struct SELF(hops) *SELF(chosen)(struct pkt *p, __u64 word)
{
	const struct SELF(stats) *stats = var(stats);
	const struct SELF(buckets) *group = at(buckets, (word >> 32) / HOP_BUCKETS);
	__u64 words[3];

	if (!group)
		return NULL;
	SELF(flow)(p, stats->fields, words);
	return at(hops, read_once(group->hop[siphash(stats->key, words, 3, 1, 3) & (HOP_BUCKETS - 1)]));
}

static __always_inline int SELF(forward)(struct pkt *p, const __u8 *destination, const int length)
{
	/* There are a power of two. */
	const struct SELF(hops) *hop = at(hops, SELF(cell)(destination, length) & (cfg.hops - 1));
	__u64 word;

	if (!hop || unlikely(pkt_type(p) != PACKET_HOST))
		return SELF(to_linux)();
	asm("" : "+r"(hop));	/* or clang makes the pointer once more for each use */
	word = read_once(hop->word);
	if (unlikely(!(word & 0xffff))) {
		hop = hop_kind(word) == HOP_GROUP ? SELF(chosen)(p, word) : NULL;
		if (!hop)
			return SELF(nowhere)(word);
		word = read_once(hop->word);
		if (!(word & 0xffff))
			return SELF(nowhere)(word);
	}
	if (unlikely(pkt_longest(p) > word >> 32))
		return SELF(to_linux)();
	SELF(send_to)(p, hop->gateway);
	return OUTPUT((int)(word & 0xffff) - 1);
}

#if USERSPACE

#include <stdio.h>
#include <string.h>
#include "linux/follow.h"

LASTING(struct routes, follower);

static void SELF(tell)(const char *what)
{
	fprintf(stderr, "%s: %s\n", SELF(name), what);
}

static __s64 SELF(clock)(void)
{
	return now();
}

static void SELF(listen)(void)
{
	struct routes *r = SELF(follower);
	const __s64 time = SELF(clock)(), next = r->due && !r->asking && r->due < r->look ? r->due : r->look;

	watch(r->events, WATCH_READ);
	watch(r->dumps, r->asking ? WATCH_READ : 0);
	timer_after(next > time ? next - time : 1);
}

EVENT()
{
	lock();
	follow_read(SELF(follower), SELF(clock));
	SELF(listen)();
	unlock();
}

TIMER()
{
	struct routes *r = SELF(follower);

	lock();
	if (r->look <= SELF(clock)())
		follow_look(r, now());
	if (r->due && r->due <= SELF(clock)())
		follow_ask(r, now());
	SELF(listen)();
	unlock();
}

INIT()
{
	const struct SELF(netlink) *own = private(netlink);
	struct routes *r = SELF(follower);

	if (own->events < 0)
		return 0;
	*r = (struct routes){
		.events = own->events, .dumps = own->dumps, .settings = { own->settings[0], own->settings[1], own->settings[2] },
		.family = own->family, .table = own->table, .is_vrf = own->is_vrf,
		.ports = cfg.devices, .stats = (struct routes_stats *)var(stats), .tell = SELF(tell),
		.cell = at(fib, 0)->cell, .chunks = cfg.chunks, .hop = (struct hop *)at(hops, 0), .hop_capacity = cfg.hops,
		.bucket = at(buckets, 0)->hop, .groups = cfg.groups, .due = 1,
	};
	for (__u32 i = 0; i < r->ports; i++)
		r->port[i].index = own->index[i];
	timer_after(1);
	return 0;
}

CLEANUP()
{
	follow_close(SELF(follower));
}

#endif
