/* Events of a traced packet, the low 8 bits of a report; the bits above have the detail named after the colon. Both sides include
 * this file.
 */
#pragma once

enum traced_event {
	TRACED_INPUT = 1,	/* it arrives at an input of an element */
	TRACED_DROP,		/* the element drops it: the reason */
	TRACED_SENT,		/* the element sends it: the device's index */
	TRACED_HOST,		/* the element gives it to Linux: the device's index */
	TRACED_SNIFFED,		/* the same, for packet sockets alone */
};

/* A packet's number: 24 bits of count, 7 bits of the trace's number, and a bit that is set if the runtime has numbered it. */
#define TRACED_COUNT 0xffffff
#define TRACED_IN_RUNTIME 0x80000000u
/* The count of a packet that isn't traced. */
#define TRACED_UNWANTED TRACED_COUNT
