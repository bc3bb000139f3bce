/* The record for an element that only looks at packets, as Print does: the kernel path copies the packet into the ring buffer
 * `looks` and continues; the runtime runs the element's action on the copy. Both sides include this file.
 *
 * After the struct come a handover record for the element's input, with its annotations (handover.h), and the frame's first bytes.
 * Fields are in host byte order.
 */
#pragma once

#include "handover.h"

struct look {
	__u64 time;	/* when it was made: nanoseconds on CLOCK_MONOTONIC */
	__u32 length;	/* bytes of the frame ... */
	__u32 copied;	/* ... and how many of them follow */
	__u32 device;	/* index of the device that the packet came from */
	__u32 event;	/* event of a trace (enum traced_event of traced_event.h); 0 for an element that looks */
};
