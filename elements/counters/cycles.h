/* Cycles, of 1 ns (see _cycles.py), and the annotation that has a packet's count of them: 0 if it has none. */
#pragma once

static __always_inline __u64 cycles(void)
{
	return now();
}

static __always_inline __u64 *pkt_cycles(struct pkt *p)
{
	return (__u64 *)(p->anno + PERFCTR_ANNO);
}
