/* A packet's times: nanoseconds since 1970, 0 if unset. The first timestamp is an annotation. */
#pragma once

static __always_inline __u64 *pkt_first_timestamp(struct pkt *p)
{
	return (__u64 *)(p->anno + FIRST_TIMESTAMP_ANNO);
}

#if USERSPACE

/* Whether the packet has a usable timestamp: a time in the first second of 1970 counts as unset, as in Click. */
static inline bool has_timestamp(const struct pkt *p)
{
	return p->timestamp >= 1000000000;
}

#endif
