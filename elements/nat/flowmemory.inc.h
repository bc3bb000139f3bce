/* A table of flows with a number for each (_flowmemory.py). No include guard: the text is compiled for each instance.
 *
 * A flow is one word: the upper half of its hash, its number plus one, and the time of its last packet. Writes are atomic, so that
 * all CPUs may begin flows; if two write to the same word, one flow is forgotten. Two flows of a bucket with equal halves of their
 * hashes (a chance of 1 in 2^29) share a number.
 */

#define FLOW_WAYS 8
#define FLOW_TICK 30
/* Times this far ahead come from CPUs whose clocks are slightly ahead. */
#define FLOW_AHEAD 0xff00

static __always_inline __u16 SELF(tick)(void)
{
	return now_coarse() >> FLOW_TICK;
}

static __always_inline __u32 SELF(silence)(__u64 word, __u16 tick)
{
	const __u16 passed = tick - (__u16)word;

	return passed < FLOW_AHEAD ? passed : 0;
}

static __always_inline struct SELF(flows) *SELF(bucket)(__u64 hash)
{
	return at(flows, (__u32)hash & (cfg.buckets - 1));
}

/* The number of a known flow, or -1. */
static __always_inline int SELF(flow_number)(__u64 hash)
{
	struct SELF(flows) *bucket = SELF(bucket)(hash);
	const __u16 tick = SELF(tick)();

	if (!bucket)
		return -1;
#pragma clang loop unroll(full)
	for (int i = 0; i < FLOW_WAYS; i++) {
		const __u64 word = read_once(bucket->word[i]);

		if (word >> 32 != hash >> 32 || !word || SELF(silence)(word, tick) > cfg.life)
			continue;
		if ((__u16)word != tick)
			__sync_bool_compare_and_swap(&bucket->word[i], word, (word & ~0xffffull) | tick);
		return (int)((word >> 16) & 0xffff) - 1;
	}
	return -1;
}

/* Add a flow that flow_number() hasn't found. */
static __always_inline void SELF(flow_begin)(struct pkt *p, __u64 hash, __u32 number)
{
	struct SELF(flows) *bucket = SELF(bucket)(hash);
	const __u16 tick = SELF(tick)();
	__u32 slot = 0, longest = 0;
	__u64 word;

	if (!bucket)
		return;
#pragma clang loop unroll(full)
	for (__u32 i = 0; i < FLOW_WAYS; i++) {
		word = read_once(bucket->word[i]);
		const __u32 silence = word ? SELF(silence)(word, tick) : 0xffff;

		if (silence > longest) {
			longest = silence;
			slot = i;
		}
	}
	count(counters, begun, 1);
	if (longest <= cfg.life)
		count(counters, evicted, 1);
	opaque(slot);
	slot &= FLOW_WAYS - 1;
	word = read_once(bucket->word[slot]);
	__sync_bool_compare_and_swap(&bucket->word[slot], word, hash >> 32 << 32 | (__u64)(number + 1) << 16 | tick);
}

#undef FLOW_WAYS
#undef FLOW_TICK
#undef FLOW_AHEAD
