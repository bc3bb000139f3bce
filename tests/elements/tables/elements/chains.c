#include "analysis/knownflows.inc.h"
#include "analysis/flows.inc.h"
#include "common/table.h"
#include "ethernet/arptables.h"
#include "ip/reassembly.h"
#include "tables/index.h"

/* What a test asks: keys, of one word or two; the answer takes the place of the first. */
struct SELF(request) {
	__u64 count;
	__u64 word[];
};

static __u32 SELF(longest);

static void SELF(see)(__u32 steps)
{
	if (steps > SELF(longest))
		SELF(longest) = steps;
}

static __always_inline void SELF(sip)(const struct SELF(request) *r, int each, int last)
{
	((struct SELF(request) *)r)->word[0] = siphash(r->word, r->word + 2, 1, each, last);
}

static void SELF(arps)(const struct SELF(request) *r)
{
	struct arp_list list = {};
	struct arp_table t = {.capacity = r->count, .list = &list, .entry = calloc(r->count + 1, sizeof(struct arp_entry))};

	arp_open(&t);
	for (__u64 i = 0; i < r->count; i++) {
		__u32 steps = 0;

		arp_ensure(&t, r->word[i], 0);
		for (__u32 at = *arp_bucket(&t, r->word[i]); at; at = t.waiting[at].next)
			steps++;
		SELF(see)(steps);
	}
	arp_close(&t);
	free(t.entry);
}

static void SELF(growing)(const struct SELF(request) *r)
{
	struct table t = {.entry = sizeof(__u64), .most = r->count};
	__u32 run = 0;

	for (__u64 i = 0; i < r->count; i++)
		table_get(&t, r->word[i]);
	for (__u32 at = 0; at < 2 * t.room; at++) {
		run = t.index[at] ? run + 1 : 0;
		SELF(see)(run);
	}
	table_clear(&t);
}

/* Words say one after the other which key comes, or goes if it is there: in their low bytes. How often the table has another opinion of
 * what is there than a list of all keys has.
 */
static void SELF(changing)(const struct SELF(request) *r)
{
	struct table t = {.entry = 2 * sizeof(__u64), .most = 200};
	bool there[256] = {};
	__u32 count = 0, wrong = 0;

	for (__u64 i = 0; i < r->count; i++) {
		const __u8 key = r->word[i];
		__u64 *entry;

		if (there[key])
			table_remove(&t, key);
		else if ((entry = table_get(&t, key)))
			entry[1] = ~(__u64)key;
		wrong += !there[key] && !entry != (count == t.most);
		there[key] = !there[key] && count < t.most;
		count = 0;
		for (int k = 0; k < 256; k++) {
			entry = table_find(&t, k);
			wrong += !entry == there[k] || (entry && entry[1] != ~(__u64)k);
			count += there[k];
		}
		wrong += count != t.count;
	}
	SELF(see)(wrong);
	SELF(see)(t.refused ? 0 : ~0u);
	table_clear(&t);
}

/* A word is a pair of addresses. */
static void SELF(conversations)(const struct SELF(request) *r)
{
	struct SELF(flows) f = {};

	SELF(open_words)();
	for (__u64 i = 0; i < r->count; i++) {
		__u32 steps = 0;

		SELF(new_flow)(&f, r->word[i], 0, PROTOCOL_TCP);
		for (const struct SELF(flow) *at = *SELF(bucket)(&f, r->word[i], 0, PROTOCOL_TCP); at; at = at->chain)
			steps++;
		SELF(see)(steps);
	}
	for (__u64 i = 0; i < r->count; i++) {
		struct SELF(hosts) none = {};
		struct SELF(flow) *flow = SELF(look_up)(&f, r->word[i], 0, PROTOCOL_TCP);

		SELF(to_front)(&f, &none, flow);
		SELF(free_flow)(&f, &none, flow);
	}
	free(f.bucket);
}

/* A word is an identification, and above it an address. */
static void SELF(partials)(const struct SELF(request) *r)
{
	struct partials all = {};

	partials_open(&all, 256 * 1024 / PARTIAL_OVERHEAD);
	for (__u64 i = 0; i < r->count; i++) {
		const struct iphdr ip = {.id = r->word[i], .saddr = r->word[i] >> 16};
		const struct partial4 *partial = partial4_begin(&all, &ip);
		__u32 steps = 0;

		for (const struct partial *at = *partials_bucket(&all, partial->waiting.key); at; at = at->next)
			steps++;
		SELF(see)(steps);
	}
	partials_close(&all, partial4_forget);
}

/* How many words find no room in an index that has as many places again. */
static void SELF(hashes)(const struct SELF(request) *r)
{
	__u32 mask = 15, outside = 0;
	struct index index;

	while ((mask + 1) * INDEX_WORDS < 2 * r->count)
		mask = 2 * mask + 1;
	index = (struct index){.bucket = calloc(mask + 1, sizeof(struct index_bucket)), .mask = mask, .outside = &outside};
	for (__u64 i = 0; i < r->count; i++)
		index_insert(&index, index_hash(hash_key(), r->word[i], 0), i + 1);
	SELF(see)(outside);
	index_close(&index);
	free(index.bucket);
}

CONTROL()
{
	struct SELF(request) *r = (struct SELF(request) *)argument;

	SELF(longest) = 0;
	switch (op) {
	case 0:
		SELF(sip)(r, 2, 4);
		return 0;
	case 1:
		SELF(sip)(r, 1, 3);
		return 0;
	case 2:
		SELF(arps)(r);
		break;
	case 3:
		SELF(growing)(r);
		break;
	case 4:
		SELF(partials)(r);
		break;
	case 5:
		SELF(hashes)(r);
		break;
	case 6:
		SELF(conversations)(r);
		break;
	case 7:
		SELF(changing)(r);
		break;
	}
	r->word[0] = SELF(longest);
	return 0;
}

ELEMENT(Chains)
{
	(void)p;
	return OUTPUT(input);
}
