/* Lines about packets, for people to read: assembled in memory, and written by one system call.
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

/* Begin a line with the label, unless it is empty, and the time of packet `timed`, unless that is NULL. False if there is no
 * memory.
 */
bool line_begin(struct line *line, const char *label, const struct pkt *timed);
/* Write the line to a descriptor. If that fails, for example because a disk is full, the line is lost. */
void line_end(struct line *line, int fd);
/* An IP address of 4 bytes, in dotted form. */
void line_ip(struct line *line, const void *address);
/* An Ethernet address, in Click's form. */
void line_ether(struct line *line, const void *address);
