/* A BPF ring buffer, mapped for reading. The reader has a position; the one that it reports to the kernel may be behind it. */
#pragma once

#include <linux/bpf.h>
#include <stdatomic.h>
#include "base.h"

struct ringbuf {
	__u8 *pages;			/* a page that the reader writes, one that it reads, and the ring, twice in a row; or NULL */
	__u32 size;			/* bytes of the ring, a power of two */
	_Atomic __u64 *consumer;	/* the position reported to the kernel */
	const _Atomic __u64 *producer;
	const __u8 *data;
};

/* Map the ring of a descriptor, which stays the caller's; 0 or -errno. A zeroed one, or one whose mapping failed, can be closed. */
int ringbuf_open(struct ringbuf *ring, int fd, __u32 size);
void ringbuf_close(struct ringbuf *ring);

/* The record at a position. It begins with its length and BPF_RINGBUF_BUSY_BIT or BPF_RINGBUF_DISCARD_BIT. */
static inline const __u8 *ringbuf_record(const struct ringbuf *ring, __u64 position)
{
	return ring->data + (position & (ring->size - 1));
}

static inline __u32 ringbuf_length(const __u8 *record)
{
	return __atomic_load_n((const __u32 *)record, __ATOMIC_ACQUIRE);
}

/* The position after a record of that length. */
static inline __u64 ringbuf_after(__u64 position, __u32 length)
{
	return position + ((length & ~BPF_RINGBUF_DISCARD_BIT) + BPF_RINGBUF_HDR_SZ + 7) / 8 * 8;
}
