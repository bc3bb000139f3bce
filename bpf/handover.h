/* The record in front of a packet that crosses from the kernel path to the runtime: the element to continue at, and the packet's
 * description. Both sides include this file.
 *
 * The record precedes the frame in the same AF_XDP buffer. Fields are in host byte order, offsets and lengths in bytes. After the
 * struct come the annotations that the router needs on both sides (byte ranges in its plan), padded to a multiple of 4; then the
 * frame. The packet starts at `off` and ends `trim` bytes before the frame's end; bytes before `off` (a pulled MAC header) stay
 * readable.
 */
#pragma once

#include <linux/types.h>

struct handover {
	__u32 hash;	/* of the configuration: must be equal on both sides */
	__u16 element;	/* index of the element to continue at ... */
	__u8 port;	/* ... and its input port */
	__u8 size;	/* of this record with its annotations */
	__s16 off;	/* where the packet starts in the frame */
	__s16 mac;	/* header annotations, from the frame's start; -1 if unset */
	__s16 net;
	__s16 trans;
	__u16 trim;	/* bytes at the frame's end that don't belong to the packet */
	__u8 type;	/* packet type (PACKET_HOST ...), with HANDOVER_MADE for a packet that the router has created */
	__u8 device;	/* low bits of the index of the device that the packet came from */
};

#define HANDOVER_MADE 0x80

/* What the router's program returns in a cpumap for a packet with its record in front (spread.bpf.c). Not an XDP action. */
#define HANDED_OVER 64

/* Limits how much one receive queue may hand over before the runtime has caught up, so that a flood of packets for one element
 * leaves room for others. A round ends when the runtime finds less than a full batch. In each round every input of an element has
 * HANDOVER_OWN ring entries of its own; all inputs share the rest. With more than HANDOVER_SHARES inputs, some have the same
 * number. The map is indexed by device and queue, like the XSKMAP.
 */
#define HANDOVER_RING 2048	/* entries of a socket's ring */
#define HANDOVER_PART 3840	/* bytes of a packet, including its record, in one entry */
#define HANDOVER_PLACES(length) (((length) - 1) / HANDOVER_PART + 1)
#define HANDOVER_BATCH 64
#define HANDOVER_SHARES 128
#define HANDOVER_OWN 4
#define HANDOVER_COMMON (HANDOVER_RING - HANDOVER_BATCH - HANDOVER_SHARES * HANDOVER_OWN)

struct handed {
	__u32 round;			/* incremented by the runtime */
	__u32 unused;
	__u32 common_round, common;	/* a round, and the shared places taken in it: one word, for atomic updates */
	__u32 own[HANDOVER_SHARES];	/* places taken in the low 8 bits; above them the round's low 24 */
} __attribute__((aligned(64)));
