/* Access to elements' state without map lookups: this CPU's values, and direct arrays. */
#pragma once

/* bpf_get_smp_processor_id() as an asm without side effects, so that clang can merge the calls of all elements. */
static __always_inline __u64 this_cpu(void)
{
	register __u64 cpu asm("r0");

	asm("call %[helper]" : "=r"(cpu) : [helper] "i"(BPF_FUNC_get_smp_processor_id) : "r1", "r2", "r3", "r4", "r5");
	return cpu;
}

/* The same for rare packets: call again, so that the common path needn't keep the number in a register. */
static __always_inline __u64 this_cpu_again(void)
{
	rarely();
	return bpf_get_smp_processor_id();
}

/* The index of this CPU's values in per-thread state; 0 if there are too few, as another loader may leave them. The verifier knows
 * the outcome of this comparison, and removes it together with the assignment. (Of clang's code for `?:`, half would stay.)
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

/* slot_of_cpu() for code that all packets reach. There are always LEAST_SLOTS slots, so on a machine with at most that many CPUs
 * the verifier removes everything after the call, including the load.
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

#ifndef SPREAD
#define this_processor() ((__u32)this_cpu())
#endif

/* A pointer to an entry of a direct array, a member of `arrays`, or NULL beyond its end. The first asm makes clang use the same
 * register that was compared, for the verifier; the second loads the array's address in one instruction, where clang would use two.
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
