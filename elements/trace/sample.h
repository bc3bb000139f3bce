/* A packet out of many: probabilities with 28 bits behind the point, as in _sampling.py. */
#ifndef CLICKBPF_TRACE_SAMPLE_H
#define CLICKBPF_TRACE_SAMPLE_H

#define SAMPLE_ALWAYS (1u << 28)

static inline bool sample(__u32 probability)
{
	return probability >= SAMPLE_ALWAYS || (random_u32() & (SAMPLE_ALWAYS - 1)) < probability;
}

#endif
