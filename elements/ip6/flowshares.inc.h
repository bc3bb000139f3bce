/* Counts IP6FlowFilter's flows for each host inside. Runtime only; included once for each instance. */
#include "ip6/shares.inc.h"

/* Buckets to search for ended flows for one packet. */
#define FLOW_STEPS 64

/* Set the host of a slot, 0 for none. No effect without HOST_CAPACITY. */
static void SELF(own)(__u32 number, int slot, __u64 host)
{
	__u64 *owner = cfg.host_capacity ? &at(owners, number)->host[slot] : NULL;

	if (!owner)
		return;
	if (*owner)
		SELF(share_less)(*owner);
	*owner = host && SELF(share_more)(host) ? host : 0;
}

static void SELF(free_ended)(__u32 number, __u64 ticks)
{
	struct SELF(buckets) *bucket = at(buckets, number);

	for (int i = 0; i < SELF(WAYS); i++)
		if (bucket->hash[i] && SELF(is_over)(bucket->life[i], ticks)) {
			write_once(bucket->hash[i], 0);
			SELF(own)(number, i, 0);
		}
}

/* Whether a host may have another flow. If its share is used up, free some ended flows, of any host; the next packet continues from
 * there.
 */
static bool SELF(may_have_more)(__u64 host, __u64 ticks)
{
	for (int step = 0; step < FLOW_STEPS && SELF(has_its_share)(host); step++)
		SELF(free_ended)(private(shares)->swept++ & (cfg.count - 1), ticks);
	return !SELF(has_its_share)(host);
}

/* Counts the existing flows. */
static void SELF(count_shares)(void)
{
	table_clear(SELF(shares)());
	for (__u32 number = 0; cfg.host_capacity && number < cfg.count; number++)
		for (int i = 0; i < SELF(WAYS); i++) {
			__u64 *owner = &at(owners, number)->host[i];

			if (*owner && !SELF(share_more)(*owner))
				*owner = 0;
		}
}

INIT()
{
	SELF(count_shares)();
	return 0;
}

CLEANUP()
{
	table_clear(SELF(shares)());
}

CONTROL()
{
	SELF(count_shares)();
	return 0;
}

#undef FLOW_STEPS
