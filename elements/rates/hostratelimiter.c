/* HostRateLimiter: a host has one token bucket in each row. */
#include "common/bucket.h"
#include "ip/flowhash.h"

enum { SELF(ROWS) = 2 };

/* Take a token from a host's bucket in a row. */
static __always_inline bool SELF(take)(__u32 row, __u32 hash)
{
	struct SELF(levels) *own = at(levels, row * cfg.row + (hash & (cfg.row - 1)));
	const struct SELF(bucket) *bucket = var(bucket);

	return own && bucket_take(&own->level, read_once(bucket->scale), read_once(bucket->per_tick), 1, 1);
}

/* The hash of the packet's host. IPv4 addresses are hashed in their IPv4-mapped form, ::ffff:a.b.c.d. */
static __always_inline __u64 SELF(host)(const struct iphdr *ip, const struct ip6_header *ip6)
{
	__u64 high = 0, low;

	if (ip6) {
		high = ip6_high(cfg.address ? ip6->source : ip6->destination) & htonll(cfg.mask_high);
		low = ip6_low(cfg.address ? ip6->source : ip6->destination) & htonll(cfg.mask_low);
	} else {
		low = htonll(0xffffull << 32 | (ntohl(cfg.address ? ip->saddr : ip->daddr) & cfg.mask));
	}
	return siphash13_2(var(secret)->key, high, low);
}

MARKED_ELEMENT(HostRateLimiter, const struct iphdr, ip)
{
	const struct ip6_header *ip6 = NULL;
	bool first, second;
	__u64 hash;

	if (ip->version == 6) {
		ip6 = pkt_network_header(p, sizeof(*ip6));
		if (!ip6)
			return DROP(MALFORMED);
	}
	hash = cfg.flows ? flow_hash(p, var(secret)->key, true) : SELF(host)(ip, ip6);
	if (cfg.flows && !hash)
		return DROP(MALFORMED);
	first = SELF(take)(0, (__u32)hash);
	second = SELF(take)(1, hash >> 32);	/* also if there was one: a host that has both gets no more than RATE */
	if (first || second)
		return OUTPUT(0);
	return SELF(noutputs) > 1 ? OUTPUT(1) : DROP(LIMITED);
}

#if USERSPACE
/* All buckets are full. */
INIT()
{
	hash_key_keep(var(secret)->key);
	for (__u32 i = 0; i < SELF(ROWS) * cfg.row; i++)
		at(levels, i)->level = BUCKET_FULL;
	return 0;
}
#endif
