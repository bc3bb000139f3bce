/* Lines about packets, for a person to read: put together in memory, and written by one system call.
 *
 * Runtime only.
 */
#pragma once

#include <stdio.h>

struct line {
	FILE *to;		/* write to this */
	char *text;
	size_t length;
};

/* Begin with the label, if it isn't empty, and the time, if there is a packet that has it. False without memory; then there is no line. */
bool line_begin(struct line *line, const char *label, const struct pkt *timed);
/* Write it to the descriptor. If that fails, for example because a disk is full, the line is lost. */
void line_end(struct line *line, int fd);
/* An IP address of 4 bytes, in dotted form. */
void line_ip(struct line *line, const void *address);
/* An Ethernet address, in Click's form. */
void line_ether(struct line *line, const void *address);
