/* The record for an element that only looks at a packet: the kernel path writes it into the ring buffer `looks`, and the runtime
 * runs the element's action on it. Both sides include this file.
 *
 * After the struct comes a handover record with its annotations (handover.h), of the packet at the element's input, and after that
 * the frame's first bytes. All fields are in host byte order.
 */
#pragma once

#include "handover.h"

struct look {
	__u64 time;	/* when it was made: nanoseconds on CLOCK_MONOTONIC */
	__u32 length;	/* bytes of the frame ... */
	__u32 copied;	/* ... and how many of them are here */
	__u32 device;	/* index of the device that it came from */
	__u32 event;	/* event of a trace (enum traced_event of traced_event.h); 0 for an element that looks */
};
