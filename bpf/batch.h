/* Packets that the runtime sends by a program of the kernel (bpf/sending.bpf.c): written one after the other into memory that both
 * share, a batch for each thread of the runtime.
 */
#pragma once

#include <linux/types.h>

#define BATCH_BYTES (1u << 18)	/* records begin within these, at multiples of RECORD_ALIGN */
#define RECORD_ALIGN 16
/* The longest frame: a page, less what test runs keep in front (some 128 bytes), headroom (256) and skb_shared_info (320). */
#define RECORD_MOST 3328
/* A test run begins with a frame of so many bytes and the batch's number. */
#define BATCH_FRAME 64

struct record {
	__u32 next;		/* where the next one for the same device is */
	__u32 length;		/* of the frame that follows, 14 to RECORD_MOST */
};

struct batch {
	__u32 at;		/* where the next record to send is */
	__u32 left;		/* records to send from there on */
	__u32 reserved[14];
	__u8 records[BATCH_BYTES + sizeof(struct record) + 4096];
} __attribute__((aligned(64)));

/* From one record to the one that was written after it. */
#define RECORD_SIZE(length) ((sizeof(struct record) + (length) + RECORD_ALIGN - 1) & ~(RECORD_ALIGN - 1u))
