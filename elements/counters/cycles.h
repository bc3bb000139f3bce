/* Cycles of 1 ns (see _cycles.py), and the annotation with a packet's cycle count, 0 for none. */
#pragma once

static __always_inline __u64 cycles(void)
{
	return now();
}

static __always_inline __u64 *pkt_cycles(struct pkt *p)
{
	return (__u64 *)(p->anno + PERFCTR_ANNO);
}
