/* How many mappings of AddressTranslator's pool each host has, which is known by the first bits of its address. Runtime only; included once
 * for each instance.
 */
#include "common/table.h"

struct SELF(share) {
	__u64 key;
	__u32 mappings;
};

static struct table *SELF(shares)(void)
{
	return as_table(private(shares)->table, sizeof(struct SELF(share)), cfg.numbers);
}

static __u64 SELF(host_of)(const __u8 *address)
{
	__u8 prefix[16];

	for (int i = 0; i < 16; i++) {
		const int bits = (int)cfg.host_prefix - 8 * i;

		prefix[i] = bits <= 0 ? 0 : address[i] & (bits >= 8 ? 0xff : 0xff00 >> bits);
	}
	return siphash13_2(var(vars)->key, ip6_high(prefix), ip6_low(prefix));
}

/* The address of a host that asks for mappings. */
static const __u8 *SELF(asker_of)(const struct SELF(mappings) *m)
{
	return cfg.asker ? m->mapped : m->inner;
}

/* `shared` says that a mapping is counted, which it isn't without memory. */
static void SELF(share)(struct SELF(mappings) *m)
{
	struct SELF(share) *share = cfg.host_capacity ? table_get(SELF(shares)(), SELF(host_of)(SELF(asker_of)(m))) : NULL;

	m->shared = share != NULL;
	if (share)
		share->mappings++;
}

static void SELF(unshare)(struct SELF(mappings) *m)
{
	struct SELF(share) *share = m->shared ? table_find(SELF(shares)(), SELF(host_of)(SELF(asker_of)(m))) : NULL;

	m->shared = false;
	if (share && !--share->mappings)
		table_remove(SELF(shares)(), share->key);
}

static bool SELF(has_its_share)(const __u8 *address)
{
	const struct SELF(share) *share = cfg.host_capacity ? table_find(SELF(shares)(), SELF(host_of)(address)) : NULL;

	return share && share->mappings >= cfg.host_capacity;
}
