/* PORT commands of FTP (RFC 959, 4.1.2), `PORT h1,h2,h3,h4,p1,p2`, which go through a NAT. Runtime only, by one thread at a time (keeper.h). */
#pragma once

#include "nat/entry.h"

/* A packet whose data, after `header` bytes of TCP, begins with PORT: make the data connection a flow of `data`, as if its packets
 * came to `input`, and write its address and port into the command, with lengths, checksums and the control connection's sequence
 * numbers (a flow of `control`). A command that makes no sense, and one whose data connection gets no flow, stay as they are.
 */
void ftp_translate(struct pkt *p, const struct nat_packet *n, __u32 header, struct nat_rewriter *control, struct nat_rewriter *data,
		   int input);
