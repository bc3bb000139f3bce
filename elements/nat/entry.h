/* The rewriters' interface for other elements. Runtime only, for one thread at a time (keeper.h). */
#pragma once

#include "nat/pattern.h"

/* The flow of packets with a key, as by nat_find(). If there is none, make one as for a packet on `input`; with an input of -1,
 * return 0.
 */
__u32 nat_entry(struct nat_rewriter *r, __u8 protocol, const struct nat_key *packet, int input);

/* The rewritten form of a packet of a flow found by nat_entry(). Fields that the rewriter ignores are the packet's. */
struct nat_target nat_entry_target(const struct nat_rewriter *r, __u32 found, const struct nat_key *packet);
