/* What ICMP says about packets that were too big for a link on the way (RFC 1191, RFC 8201). Runtime only. */
#pragma once

#include "tcp/packets.h"

/* A packet that is no segment: if it says so of something that is under way (RFC 5927, 4.1), the connection's segments become smaller, and
 * what is under way is sent again. False if it is anything else.
 */
bool tcp_hear_too_big(struct tcp_connections *c, struct pkt *p, const struct payload *payload);
