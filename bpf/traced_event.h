/* What happens to a traced packet: the lower 8 bits of an event; the bits above them are the detail in the comment. Both sides
 * include this file. */
#pragma once

enum traced_event {
	TRACED_INPUT = 1,	/* it has come to an input of an element */
	TRACED_DROP,		/* the element drops it: the reason */
	TRACED_SENT,		/* the element sends it: the device's index */
	TRACED_HOST,		/* the element gives it to Linux: the device's index */
	TRACED_SNIFFED,		/* the same, for packet sockets alone */
};

/* A packet's number: 24 bits that count, above them 7 of the trace, and one that is set where the runtime has numbered it. */
#define TRACED_COUNT 0xffffff
#define TRACED_IN_RUNTIME 0x80000000u
/* In the place of the count: the packet isn't to be traced. */
#define TRACED_UNWANTED TRACED_COUNT
