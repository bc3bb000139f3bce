/* Counting which ways packets take through elements (clickbpf/vocabulary/ways.py): a kernel path built for a profile does. */
#ifndef CLICKBPF_BPF_WAYS_H
#define CLICKBPF_BPF_WAYS_H

struct way {
	__u64 packets;
} __attribute__((aligned(64)));

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, WAYS * SLOTS);
	__type(key, __u32);
	__type(value, struct way);
} ways SEC(".maps");

FUNCTIONS
static __always_inline void count_way(__u32 number)
{
	__u32 key = number * slots + slot_of_cpu(this_cpu_again());
	struct way *way = bpf_map_lookup_elem(&ways, &key);

	keep_apart();
	if (way)
		way->packets++;
}
GLOBALS

#endif
