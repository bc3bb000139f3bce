/* PORT commands of FTP (RFC 959, 4.1.2), `PORT h1,h2,h3,h4,p1,p2`, through a NAT. Runtime only, by one thread at a time (keeper.h). */
#pragma once

#include "nat/entry.h"

/* Translate a packet whose data, after `header` bytes of TCP, begins with PORT: make a flow of `data` for the data connection, as
 * if its packets came on `input`; write its rewritten address and port into the command; and update lengths, checksums and sequence
 * numbers of the control connection, a flow of `control`. Malformed commands, and commands whose data connection gets no flow, stay
 * as they are.
 */
void ftp_translate(struct pkt *p, const struct nat_packet *n, __u32 header, struct nat_rewriter *control, struct nat_rewriter *data,
		   int input);
