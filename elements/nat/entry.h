/* The rewriters' interface for other elements. Runtime only, for one thread at a time (keeper.h). */
#pragma once

#include "nat/pattern.h"

/* The flow of packets with a key, as by nat_find(). If there is none, with an input one is made as for a packet on that input;
 * without (-1) the result is 0.
 */
__u32 nat_entry(struct nat_rewriter *r, __u8 protocol, const struct nat_key *packet, int input);

/* What a packet of a flow found by nat_entry() becomes. Fields that the rewriter doesn't change are the packet's. */
struct nat_target nat_entry_target(const struct nat_rewriter *r, __u32 found, const struct nat_key *packet);
