/* Dumps of packet headers in cells of fixed size: the formats of the National Laboratory for Applied Network Research.
 *
 * A cell begins with the time, seconds since 1970 and microseconds, in network byte order.
 *   TSH	44 bytes: the top byte of the microseconds is the interface; 36 bytes of the packet from the IP header
 *   FR+	44 bytes: the same without an interface
 *   FR		24 bytes: addresses, total length, protocol, TCP flags, and ports, of which a packet is made
 */
#pragma once

#include <stdio.h>
#include "base.h"

enum cell_format { CELLS_NONE, CELLS_TSH, CELLS_FR_PLUS, CELLS_FR };

#define CELL_MOST 44
#define CELL_HEADERS 36

struct cell {
	__u8 bytes[CELL_MOST];
	__u8 made[CELL_HEADERS];
};

struct dump_frame;

/* The next packet, within `cell`: 1, or 0 at the end of the file. */
int cell_read(FILE *file, enum cell_format format, struct cell *cell, struct dump_frame *frame);
