/* Finds the first of many rules that holds, by bit vectors (clickbpf/classify/vectors.py, which names the papers). No include
 * guard: the text is compiled for each instance, under its own name. Each row consists of words: first its summary, then its
 * vector.
 */

/* The half of the data in use, 0 or 1. It may change at any time, so read it once for each packet. */
static __always_inline __u32 SELF(now)(void)
{
	return read_once(var(data)->now) & 1;
}

/* The index of a row in a half of the data. */
static __always_inline __u32 SELF(row)(__u32 now, __u32 place)
{
	const struct SELF(places) *found = at(places, now * cfg.places + place);

	return now * cfg.rows + (found ? found->row : 0);
}

/* The bits set in this word of all rows. */
static __always_inline __u64 SELF(common)(const __u32 row[], __u32 place)
{
	__u64 ones = ~0ull;

#pragma clang loop unroll(full)
	for (__u32 i = 0; i < cfg.halves; i++) {
		const struct SELF(rows) *found = at(rows, row[i] + place);

		ones &= found ? found->word : 0;
	}
	return ones;
}

/* The position of the lowest 1 of a nonzero number. BPF has no instruction for this. */
static __always_inline __u32 SELF(lowest)(__u64 ones)
{
#if USERSPACE
	return __builtin_ctzll(ones);
#else
	__u32 place = 0, low = ones;

	if (!low) {
		place = 32;
		low = ones >> 32;
	}
	low &= -low;
	place += !!(low & 0xaaaaaaaa) + (!!(low & 0xcccccccc) << 1) + (!!(low & 0xf0f0f0f0) << 2);
	return place + (!!(low & 0xff00ff00) << 3) + (!!(low & 0xffff0000) << 4);
#endif
}

/* The output of the first rule that holds, or a negative number. */
static __always_inline int SELF(search)(__u32 now, const __u32 row[])
{
	__u32 best = ~0u;
	int output = -1;

	for (__u32 number = 0; number < cfg.summary; number++) {
		__u64 marks = SELF(common)(row, number);

		for (int i = 0; i < 64 && marks; i++) {
			const __u32 word = 64 * number + SELF(lowest)(marks);
			const __u64 ones = SELF(common)(row, cfg.summary + word);
			const struct SELF(rules) *rule;

			marks &= marks - 1;
			if (!ones)
				continue;
			rule = at(rules, now * cfg.rules + 64 * word + SELF(lowest)(ones));
			if (rule && rule->number < best) {
				best = rule->number;
				output = rule->output;
			}
		}
	}
	return output;
}
