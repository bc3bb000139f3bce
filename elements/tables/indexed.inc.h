/* Look-ups in an instance's index (index.h) without a lock, as the kernel path does them. The state is `buckets`; cfg.mask is their number minus 1. */

/* The number under a hash; 0 if there is none, or if it is in the runtime's overflow list. */
static __always_inline __u32 SELF(indexed)(__u64 hash)
{
	const struct SELF(buckets) *bucket = at(buckets, index_first(hash, cfg.mask));
	__u32 found = bucket ? index_search((const struct index_bucket *)bucket, hash) : 0;

	if (found)
		return found;
	bucket = at(buckets, index_second(hash, cfg.mask));
	return bucket ? index_search((const struct index_bucket *)bucket, hash) : 0;
}
