/* Reads packets from dumps in cells (cells.h). */
#include "cells.h"
#include <string.h>
#include "dump.h"

#define CELL_FR 24
#define HEADER 20
#define TCP 6
#define UDP 17

static __u32 word(const __u8 *at)
{
	return (__u32)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
}

/* Build the IP header and the first bytes of TCP or UDP; returns their length. */
static __u32 make(const __u8 *cell, __u8 *packet)
{
	const __u8 *addresses = cell + 8, *length = cell + 16, *ports = cell + 20;
	__u8 protocol = cell[18];

	memset(packet, 0, CELL_HEADERS);
	packet[0] = 0x45;
	memcpy(packet + 2, length, 2);
	packet[9] = protocol;
	memcpy(packet + 12, addresses, 8);
	if (protocol != TCP && protocol != UDP)
		return HEADER;
	memcpy(packet + HEADER, ports, 4);
	if (protocol == UDP)
		return HEADER + 4;
	packet[HEADER + 12] = 5 << 4;
	packet[HEADER + 13] = cell[19];
	return HEADER + 14;
}

int cell_read(FILE *file, enum cell_format format, struct cell *cell, struct dump_frame *frame)
{
	__u32 size = format == CELLS_FR ? CELL_FR : CELL_MOST, microseconds, full;
	const __u8 *packet = cell->bytes + 8;

	if (fread(cell->bytes, size, 1, file) != 1)
		return 0;
	microseconds = word(cell->bytes + 4);
	frame->interface = 0;
	if (format == CELLS_TSH) {
		frame->interface = microseconds >> 24;
		microseconds &= 0xffffff;
	}
	frame->timestamp = (word(cell->bytes) * 1000000ull + microseconds) * 1000;
	frame->length = CELL_HEADERS;
	if (format == CELLS_FR) {
		frame->length = make(cell->bytes, cell->made);
		packet = cell->made;
	}
	frame->bytes = packet;
	full = packet[2] << 8 | packet[3];
	frame->full_length = full > frame->length ? full : frame->length;
	return 1;
}
