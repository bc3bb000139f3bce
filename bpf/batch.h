/* Packets that the runtime sends by a BPF program (bpf/sending.bpf.c), in memory shared by both: one batch for each thread of the
 * runtime.
 */
#pragma once

#include <linux/types.h>

#define BATCH_BYTES (1u << 18)	/* records begin within these, at multiples of RECORD_ALIGN */
#define RECORD_ALIGN 16
/* The longest frame: a page minus headroom (256, and up to 130 of the tap device) and skb_shared_info (320), rounded down. */
#define RECORD_MOST 3328
/* The length of a frame to be copied is this plus the batch's number. It begins with the number of a volley. */
#define BATCH_FRAME 64
#define MOST_VOLLEYS 4096

struct record {
	__u32 next;		/* offset of the next one for the same device */
	__u32 length;		/* of the frame that follows, 14 to RECORD_MOST */
};

struct batch {
	__u32 at;		/* offset of the next record to send */
	__u32 left;		/* number of records still to send */
	__u32 refused;		/* frames that the device has refused since the runtime set this to 0 */
	__u32 reserved[13];
	__u8 records[BATCH_BYTES + sizeof(struct record) + 4096];
} __attribute__((aligned(64)));

/* The distance from one record to the one written after it. */
#define RECORD_SIZE(length) ((sizeof(struct record) + (length) + RECORD_ALIGN - 1) & ~(RECORD_ALIGN - 1u))
