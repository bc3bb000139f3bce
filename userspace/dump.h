/* Packet dumps in tcpdump's format (classic pcap), read and written by libpcap; pcapng and compressed files are read, too.
 * Link types are libpcap's DLT_ numbers.
 */
#pragma once

#include "base.h"
#include "cells.h"

struct dump;

struct dump_frame {
	const void *bytes;	/* valid until the next call */
	__u32 length;		/* bytes captured */
	__u32 full_length;	/* bytes of the packet */
	__u64 timestamp;	/* nanoseconds since 1970 */
	__u8 interface;		/* of a TSH dump */
};

/* Open the dump in the file `fd`, which is closed even on failure. 0, or -errno with an explanation in `complaint`, of at least
 * DUMP_COMPLAINT bytes.
 */
#define DUMP_COMPLAINT 256
EXPORT int dump_open(struct dump **dump, int fd, char *complaint);
/* The same for a dump of IP packet headers in cells (cells.h). */
EXPORT int dump_open_cells(struct dump **dump, int fd, enum cell_format format, char *complaint);
EXPORT int dump_link_type(const struct dump *dump);
/* Read the next packet: 1; 0 at the end of the file, even if truncated; or -EINVAL for an impossible packet header. */
EXPORT int dump_read(struct dump *dump, struct dump_frame *frame);

/* The position of the next packet in the expanded file, 0 for a pipe. dump_seek() expects the beginning of a packet. */
EXPORT __u64 dump_position(const struct dump *dump);
EXPORT int dump_seek(struct dump *dump, __u64 position);

/* Write to the descriptor `fd`, compressed (enum stream_format) and with timestamps in nanoseconds or in microseconds. */
EXPORT int dump_create(struct dump **dump, int fd, int link_type, __u32 snaplen, int format, bool nano, char *complaint);
EXPORT int dump_write(struct dump *dump, const struct dump_frame *frame);
EXPORT int dump_flush(struct dump *dump);

EXPORT void dump_close(struct dump *dump);
