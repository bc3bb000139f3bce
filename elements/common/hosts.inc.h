/* Messages are limited by a token bucket for all, in the state `bucket`, and by one for each destination host, in the states `hosts`
 * and `secret` (_hosts.py). Hosts are mapped to a fixed number of buckets by a keyed hash: memory is bounded, and nobody can choose
 * whose bucket to share. No include guard: the text is compiled for each instance.
 */
#include "common/bucket.h"
#include "siphash.h"

#define HOST_BITS 10

/* The level of a host's bucket. */
static __always_inline __u64 *SELF(host_level)(__u64 host)
{
	struct SELF(hosts) *hosts = at(hosts, siphash13(var(secret)->key, host) >> (64 - HOST_BITS));

	return hosts ? &hosts->level : NULL;
}

/* Whether both buckets have a token, the host's with this level. */
static __always_inline bool SELF(is_permitted)(__u64 *level)
{
	struct SELF(bucket) *bucket = var(bucket);

	return bucket_permits(level, cfg.host_scale, cfg.host_per_tick) && bucket_permits(BUCKET(bucket));
}

/* Take a token from each, unless one has none. */
static __always_inline bool SELF(is_granted)(__u64 *level)
{
	struct SELF(bucket) *bucket = var(bucket);

	return bucket_grants(level, cfg.host_scale, cfg.host_per_tick) && bucket_grants(BUCKET(bucket));
}

#if USERSPACE
/* All buckets are full. */
INIT()
{
	hash_key_keep(var(secret)->key);
	for (__u32 i = 0; i < 1u << HOST_BITS; i++)
		at(hosts, i)->level = BUCKET_FULL;
	return 0;
}
#endif
