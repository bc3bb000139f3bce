/* Elements that only look at packets, in the kernel path: what the runtime needs for that is copied, and the packet goes on.
 *
 * The runtime is woken only by a look that finds the ring empty (userspace/looks.c). A full ring doesn't hold the packet up: the look
 * is missed, and counted.
 */
#ifndef CLICKBPF_BPF_LOOKS_H
#define CLICKBPF_BPF_LOOKS_H

#include "look.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, LOOKS_SIZE);
} looks SEC(".maps");

/* A function for records with room for so many bytes of the frame, a power of two: what is reserved has to be a constant. 0, or -1
 * if there is no room.
 */
#define LOOK_WITH(room)                                                                                                     \
	static __always_inline int look_with_##room(struct CONTEXT *ctx, const struct crossing *record, __u32 length, __u32 n, \
						  __u32 device)                                                    \
	{                                                                                                                  \
		struct look *look = bpf_ringbuf_reserve(&looks, sizeof(*look) + CROSSING_SIZE + room, 0);                   \
		void *bytes = look + 1;                                                                                    \
                                                                                                                           \
		keep_apart();                                                                                              \
		if (!look)                                                                                                 \
			return -1;                                                                                         \
		look->time = now();                                                                                        \
		look->length = length;                                                                                     \
		look->copied = n;                                                                                          \
		look->device = device;                                                                                     \
		look->unused = 0;                                                                                          \
		__builtin_memcpy((__u32 *)bytes, (const __u32 *)record, CROSSING_SIZE);                                     \
		if (n) {                                                                                                   \
			/* What the verifier of Linux 6.1 takes for a range. */                                            \
			asm volatile("" : "+r"(n));                                                                        \
			n = ((n - 1) & (room - 1)) + 1;                                                                    \
			if (frame_copy(ctx, bytes + CROSSING_SIZE, n))                                                     \
				look->copied = 0;                                                                          \
		}                                                                                                          \
		bpf_ringbuf_submit(look, 0);                                                                               \
		keep_apart();                                                                                              \
		return 0;                                                                                                  \
	}

LOOK_WITH(64)
LOOK_WITH(256)
LOOK_WITH(1024)
LOOK_WITH(4096)
#ifdef HOOK_TC
LOOK_WITH(65536)
#define MOST_LOOKED_AT 65536
#else
#define MOST_LOOKED_AT 4096
#endif

/* Out of line, for it stands at every place where an element looks. `n` bytes of the frame's `length` are wanted. */
static __attribute__((noinline)) int look_at(struct CONTEXT *ctx, const struct crossing *record, __u32 length, __u32 n, __u32 device)
{
	int missed;

	if (n <= 64)
		missed = look_with_64(ctx, record, length, n, device);
	else if (n <= 256)
		missed = look_with_256(ctx, record, length, n, device);
	else if (n <= 1024)
		missed = look_with_1024(ctx, record, length, n, device);
#ifdef HOOK_TC
	else if (n > 4096)
		missed = look_with_65536(ctx, record, length, n, device);
#endif
	else
		missed = look_with_4096(ctx, record, length, n, device);
	if (unlikely(missed))
		count_drops(record->head.element, DROP_MISSED_LOOK, 1);
	return missed;
}

/* The element at whose input the packet is needs so many bytes from the packet's start and from its headers, where they are set. */
static __always_inline void look(struct pkt *p, __u32 element, __u32 port, int data, int mac, int network, int transport)
{
	struct crossing record = {};
	long n = data ? p->off + data : 0;

	if (mac && p->mac != NO_HEADER && p->mac + mac > n)
		n = p->mac + mac;
	if (network && p->net != NO_HEADER && p->net + network > n)
		n = p->net + network;
	if (transport && p->trans != NO_HEADER && p->trans + transport > n)
		n = p->trans + transport;
	if (n > p->size)
		n = p->size;
	if (n > MOST_LOOKED_AT)
		n = MOST_LOOKED_AT;
	record_packet(&record, p, element, port);
	look_at(p->ctx, &record, p->size, n, p->device);
}

#endif
