/* Copying packets into a ring buffer for the runtime, with the record of a handover in front (look.h). */
#pragma once

#include "look.h"

/* Defines a function for records with up to `room` bytes of the frame, a power of two: bpf_ringbuf_reserve() takes only constant
 * sizes. It returns -1 if the ring is full. `flags` are those of bpf_ringbuf_submit().
 */
#define COPY_WITH(room)                                                                                                     \
	static __always_inline int copy_with_##room(void *ring, __u64 flags, struct CONTEXT *ctx, const struct crossing *record, \
						    __u32 length, __u32 n, __u32 device, __u32 event)                      \
	{                                                                                                                  \
		struct look *look = bpf_ringbuf_reserve(ring, sizeof(*look) + CROSSING_SIZE + room, 0);                     \
		void *bytes = look + 1;                                                                                    \
                                                                                                                           \
		keep_apart();                                                                                              \
		if (!look)                                                                                                 \
			return -1;                                                                                         \
		look->time = now();                                                                                        \
		look->length = length;                                                                                     \
		look->copied = n;                                                                                          \
		look->device = device;                                                                                     \
		look->event = event;                                                                                       \
		__builtin_memcpy((__u32 *)bytes, (const __u32 *)record, CROSSING_SIZE);                                     \
		if (n) {                                                                                                   \
			/* A form that the verifier of Linux 6.1 recognises as a range. */ \
			asm volatile("" : "+r"(n));                                                                        \
			n = ((n - 1) & (room - 1)) + 1;                                                                    \
			if (frame_copy(ctx, bytes + CROSSING_SIZE, n))                                                     \
				look->copied = 0;                                                                          \
		}                                                                                                          \
		bpf_ringbuf_submit(look, flags);                                                                            \
		keep_apart();                                                                                              \
		return 0;                                                                                                  \
	}

COPY_WITH(64)
COPY_WITH(256)
COPY_WITH(1024)
COPY_WITH(4096)
#if defined(HOOK_TC) || defined(FRAGS)
COPY_WITH(65536)
#define MOST_COPIED 65536
#else
#define MOST_COPIED 4096
#endif

/* Copy the first `n` bytes, at most MOST_COPIED, of a frame of `length` bytes. -1 if the ring is full. */
static __always_inline int copy_packet(void *ring, __u64 flags, struct CONTEXT *ctx, const struct crossing *record, __u32 length,
				       __u32 n, __u32 device, __u32 event)
{
	if (n <= 64)
		return copy_with_64(ring, flags, ctx, record, length, n, device, event);
	if (n <= 256)
		return copy_with_256(ring, flags, ctx, record, length, n, device, event);
	if (n <= 1024)
		return copy_with_1024(ring, flags, ctx, record, length, n, device, event);
#if MOST_COPIED > 4096
	if (n > 4096)
		return copy_with_65536(ring, flags, ctx, record, length, n, device, event);
#endif
	return copy_with_4096(ring, flags, ctx, record, length, n, device, event);
}
