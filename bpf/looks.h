/* Elements that only look at packets, in the kernel path: what the runtime needs for that is copied, and the packet goes on.
 *
 * The runtime is woken only by a look that finds the ring empty (userspace/looks.c). A full ring doesn't hold the packet up: the look
 * is missed, and counted.
 */
#ifndef CLICKBPF_BPF_LOOKS_H
#define CLICKBPF_BPF_LOOKS_H

#include "copied.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, LOOKS_SIZE);
} looks SEC(".maps");

/* Out of line, for it stands at every place where an element looks. `n` bytes of the frame's `length` are wanted. */
static __attribute__((noinline)) int look_at(struct CONTEXT *ctx, const struct crossing *record, __u32 length, __u32 n, __u32 device)
{
	int missed = copy_packet(&looks, 0, ctx, record, length, n, device, 0);

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
	if (n > MOST_COPIED)
		n = MOST_COPIED;
	record_packet(&record, p, element, port);
	look_at(p->ctx, &record, p->size, n, p->device);
}

#endif
