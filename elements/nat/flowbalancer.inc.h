/* Servers of flows, which keep them. No include guard: the text is compiled for each instance. */
#include "common/clock.h"
#include "nat/balancer.inc.h"
#include "nat/flowmemory.inc.h"

/* A server for a flow that flow_number() hasn't found; -1 if none is active. */
static __always_inline int SELF(begin)(struct pkt *p, __u64 hash)
{
	const int number = SELF(choose)(p, hash);
	struct SELF(servers) *server = number < 0 ? NULL : at(servers, number);

	if (!server)
		return -1;
	SELF(flow_begin)(p, hash, number);
	if (cfg.counts)
		__sync_fetch_and_add(&server->loads[SELF(CONNECTIONS)], 1);
	return number;
}

#if USERSPACE
INIT()
{
	hash_key_keep(var(balance)->key);
	if (cfg.counts)
		timer_after(0);
	return 0;
}

/* Flows end by silence: count each server's anew every second. One that begins meanwhile may be missing until the next time. */
TIMER()
{
	const __u16 tick = SELF(tick)();

	for (__u32 i = 0; i < cfg.total; i++)
		at(servers, i)->open = 0;
	for (__u32 i = 0; i < cfg.buckets; i++)
		for (__u32 way = 0; way < sizeof(struct SELF(flows)) / sizeof(__u64); way++) {
			const __u64 word = read_once(at(flows, i)->word[way]);

			if (word && SELF(silence)(word, tick) <= cfg.life)
				at(servers, (word >> 16 & 0xffff) - 1)->open++;
		}
	for (__u32 i = 0; i < cfg.total; i++)
		write_once(at(servers, i)->loads[SELF(CONNECTIONS)], at(servers, i)->open);
	timer_after(NS_PER_SECOND);
}
#endif
