/* A token bucket for each destination host, in the states `hosts` and `secret` (_hosts.py). Hosts are mapped to a fixed number of
 * buckets by a keyed hash: memory is bounded, and nobody can choose whose bucket to share. No include guard: the text is compiled
 * for each instance.
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

/* A host's bucket, as arguments of bucket_permits() and bucket_grants(). */
#define HOST_BUCKET(level) level, cfg.host_scale, cfg.host_per_tick

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
