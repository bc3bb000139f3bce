/* Elements that only look at packets, in the kernel path: copy the bytes that the runtime needs; the packet continues.
 *
 * Only a record that finds the ring empty wakes the runtime (userspace/looks.c). A full ring doesn't delay the packet: the copy is
 * left out, and counted.
 */
#pragma once

#include "copied.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, LOOKS_SIZE);
} looks SEC(".maps");

/* Copy `n` bytes of a frame of `length` bytes. Out of line because every element that looks calls it. */
static __attribute__((noinline)) int look_at(struct CONTEXT *ctx, const struct crossing *record, __u32 length, __u32 n, __u32 device)
{
	int missed = copy_packet(&looks, 0, ctx, record, length, n, device, 0);

	if (unlikely(missed))
		count_drops(record->head.element, DROP_MISSED_LOOK, 1);
	return missed;
}

/* Copy a packet for `element`, with at least these numbers of bytes from the packet's start and from each header that is set. */
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
