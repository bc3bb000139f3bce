/* HostRateLimiter: a host has one token bucket in each row. */
#include "common/bucket.h"
#include "ip/flowhash.h"
#include "ip6/ip6.h"

enum { SELF(ROWS) = 2 };

/* Take a token from a host's bucket in a row. */
static __always_inline bool SELF(take)(__u32 row, __u32 hash)
{
	struct SELF(levels) *own = at(levels, row * cfg.row + (hash & (cfg.row - 1)));
	const struct SELF(bucket) *bucket = var(bucket);

	return own && bucket_take(&own->level, read_once(bucket->scale), read_once(bucket->per_tick), 1, 1);
}

/* The hash of the packet's flow; for IPv6, of its two addresses. */
static __always_inline __u64 SELF(flow)(struct pkt *p, const struct iphdr *ip, const struct ip6_header *ip6)
{
	__u64 words[4];

	if (!ip6)
		return flow_hash(p, ip, var(secret)->key);
	words[0] = ip6_high(ip6->source);
	words[1] = ip6_low(ip6->source);
	words[2] = ip6_high(ip6->destination);
	words[3] = ip6_low(ip6->destination);
	return siphash(var(secret)->key, words, 4, 1, 3);
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

ELEMENT(HostRateLimiter)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct ip6_header *ip6 = NULL;
	bool first, second;
	__u64 hash;

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	if (ip->version == 6) {
		ip6 = pkt_network_header(p, sizeof(*ip6));
		if (!ip6)
			return DROP(MALFORMED);
	}
	hash = cfg.flows ? SELF(flow)(p, ip, ip6) : SELF(host)(ip, ip6);
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
