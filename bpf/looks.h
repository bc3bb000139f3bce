/* Elements that only look at packets, in the kernel path: the bytes that the runtime needs are copied, and the packet goes on.
 *
 * The runtime is woken only by a record that finds the ring empty (userspace/looks.c). A full ring doesn't delay the packet: the
 * look is missed, and counted.
 */
#pragma once

#include "copied.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, LOOKS_SIZE);
} looks SEC(".maps");

/* Copy `n` bytes of the frame's `length`. Out of line, since every place where an element looks calls it. */
static __attribute__((noinline)) int look_at(struct CONTEXT *ctx, const struct crossing *record, __u32 length, __u32 n, __u32 device)
{
	int missed = copy_packet(&looks, 0, ctx, record, length, n, device, 0);

	if (unlikely(missed))
		count_drops(record->head.element, DROP_MISSED_LOOK, 1);
	return missed;
}

/* Copy a packet for the element at whose input it is: this many bytes from the packet's start, and from its headers where they
 * are set. */
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
