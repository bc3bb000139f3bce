/* How the kernel path reaches elements' state without lookups: this CPU's values, and direct arrays. */
#pragma once

/* bpf_get_smp_processor_id() as an instruction without side effects, so that clang calls it once, however many elements count. */
static __always_inline __u64 this_cpu(void)
{
	register __u64 cpu asm("r0");

	asm("call %[helper]" : "=r"(cpu) : [helper] "i"(BPF_FUNC_get_smp_processor_id) : "r1", "r2", "r3", "r4", "r5");
	return cpu;
}

/* The same where it is rarely asked for: each time anew, so that other packets needn't keep the number. */
static __always_inline __u64 this_cpu_again(void)
{
	rarely();
	return bpf_get_smp_processor_id();
}

/* The number of this CPU's values in per-thread state. Another loader may have left too few: the first is shared then. The verifier
 * knows the outcome of the comparison and removes it together with the assignment. (Written as a select in C, half of it would stay.)
 */
static __always_inline __u64 slot_of_cpu(__u64 cpu)
{
	const __u64 there = slots;

	asm("if %0 < %1 goto l_%=\n\t"
	    "%0 = 0\n"
	    "l_%=:"
	    : "+r"(cpu)
	    : "r"(there));
	return cpu;
}

/* slot_of_cpu() for code that all packets reach. Where the kernel knows that it has no more than LEAST_SLOTS CPUs, the verifier removes
 * all of it, the load included: the loader always leaves so many slots.
 */
static __always_inline __u64 this_slot(void)
{
	__u64 cpu = this_cpu(), there;

	asm("if %0 < %2 goto l_%=\n\t"
	    "%1 = slots ll\n\t"
	    "%1 = *(u32 *)(%1 + 0)\n\t"
	    "if %0 < %1 goto l_%=\n\t"
	    "%0 = 0\n"
	    "l_%=:"
	    : "+r"(cpu), "=&r"(there)
	    : "i"(LEAST_SLOTS));
	return cpu;
}

#define this_processor() ((__u32)this_cpu())

/* The value of a direct array, a member of `arrays`, at an index, or NULL beyond its end. The first asm makes the index that was
 * compared the one that is used, for the verifier; the second has the array's place in one instruction, of which clang makes two.
 */
#define direct(array, index)                                                             \
	({                                                                               \
		__u64 index_ = index;                                                    \
		const bool inside_ = index_ < sizeof(arrays.array) / sizeof(*arrays.array); \
		__typeof__(*arrays.array) *first_;                                       \
		asm("" : "+r"(index_));                                                  \
		asm("%0 = arrays + %1 ll" : "=r"(first_) : "i"(offsetof(struct arrays, array))); \
		first_ += index_;                                                        \
		__builtin_assume(first_);                                                \
		inside_ ? first_ : NULL;                                                 \
	})

#define slot(state) SELF(state##_slot)(p)
