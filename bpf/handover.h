/* The record in front of a packet that crosses from the kernel path to the runtime: where it goes on, and what is known about it.
 * Both sides include this file.
 *
 * The record stands before the frame, in the same AF_XDP buffer. All fields are in host byte order, offsets and lengths
 * in bytes. After the struct come the annotations that the router carries across: the byte ranges in its plan, one after another,
 * padded to a multiple of 4; then the frame. The packet is the frame's bytes from `off` on, without the last `trim`; bytes before
 * `off` (a MAC header that was pulled) stay readable.
 */
#pragma once

#include <linux/types.h>

struct handover {
	__u32 hash;	/* hash of the configuration, which must be the same on both sides */
	__u16 element;	/* index of the element that goes on with the packet ... */
	__u8 port;	/* ... and its input port */
	__u8 size;	/* of this record with its annotations: the frame follows it */
	__s16 off;	/* where the packet starts in the frame */
	__s16 mac;	/* header annotations, from the frame's start; -1 if unset */
	__s16 net;
	__s16 trans;
	__u16 trim;	/* bytes at the frame's end that are not the packet's */
	__u8 type;	/* packet type, PACKET_HOST and so on; HANDOVER_MADE if the packet, made by the router, came from no device */
	__u8 device;	/* the lower bits of the index of the device that the packet came from */
};

#define HANDOVER_MADE 0x80

/* The verdict of a program that runs in a CPU's queue, for a packet with its record in front (spread.bpf.c); no XDP action. */
#define HANDED_OVER 64

/* Limits what one receive queue may hand over before the runtime reads the socket again, so that a flood for one element leaves
 * room for packets for others. A round ends when the runtime finds fewer packets than a batch. In each, the input of every
 * element has HANDOVER_OWN places of its own; all inputs share the others. Inputs are numbered; beyond HANDOVER_SHARES, several
 * have the same number. The map has one for each device and queue, where the XSKMAP has their sockets.
 */
#define HANDOVER_RING 2048	/* frames of a socket, each with a packet or a part of one */
#define HANDOVER_PART 3840	/* bytes of a packet, with its record, in one frame */
#define HANDOVER_PLACES(length) (((length) - 1) / HANDOVER_PART + 1)
#define HANDOVER_BATCH 64
#define HANDOVER_SHARES 128
#define HANDOVER_OWN 4
#define HANDOVER_COMMON (HANDOVER_RING - HANDOVER_BATCH - HANDOVER_SHARES * HANDOVER_OWN)

struct handed {
	__u32 round;			/* incremented by the runtime */
	__u32 unused;
	__u32 common_round, common;	/* a round, and the shared places taken in that round: one word, for several CPUs */
	__u32 own[HANDOVER_SHARES];	/* places taken in the lower 8 bits, above them the round's lower 24 */
} __attribute__((aligned(64)));
