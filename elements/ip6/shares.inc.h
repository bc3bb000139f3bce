/* Counts each host's entries in an element's table, so that no host takes all. A host is identified by the first cfg.host_prefix
 * bits of its address; cfg.shares is the most hosts. With cfg.host_capacity 0 nothing is counted. Runtime only; included once for
 * each instance, whose Python has SHARES (_shares.py).
 */
#include "common/table.h"

struct SELF(share) {
	__u64 key;
	__u32 entries;
};

static struct table *SELF(shares)(void)
{
	return as_table(private(shares)->table, sizeof(struct SELF(share)), cfg.shares);
}

/* The host of an address, as a keyed hash; 0 only if nothing is counted. */
static __u64 SELF(host_of)(const __u8 *address)
{
	__u8 prefix[16];

	if (!cfg.host_capacity)
		return 0;
	for (int i = 0; i < 16; i++) {
		const int bits = (int)cfg.host_prefix - 8 * i;

		prefix[i] = bits <= 0 ? 0 : address[i] & (bits >= 8 ? 0xff : 0xff00 >> bits);
	}
	return siphash13_2(var(vars)->key, ip6_high(prefix), ip6_low(prefix)) ?: 1;
}

/* Count an entry for a host. False if it isn't counted, for lack of memory or because counting is off. */
static bool SELF(share_more)(__u64 host)
{
	struct SELF(share) *share = cfg.host_capacity ? table_get(SELF(shares)(), host) : NULL;

	if (share)
		share->entries++;
	return share;
}

/* Uncount an entry that was counted. */
static void SELF(share_less)(__u64 host)
{
	struct SELF(share) *share = table_find(SELF(shares)(), host);

	if (share && !--share->entries)
		table_remove(SELF(shares)(), host);
}

static bool SELF(has_its_share)(__u64 host)
{
	const struct SELF(share) *share = cfg.host_capacity ? table_find(SELF(shares)(), host) : NULL;

	return share && share->entries >= cfg.host_capacity;
}
