/* What other elements ask of rewriters. Runtime only, by one thread at a time (keeper.h). */
#ifndef CLICKBPF_NAT_ENTRY_H
#define CLICKBPF_NAT_ENTRY_H

#include "nat/pattern.h"

/* The flow of a packet that isn't here: as nat_find(). With an input, if there is none yet it is made as if the packet had
 * come there; without (-1) it is 0.
 */
__u32 nat_entry(struct nat_rewriter *r, __u8 protocol, const struct nat_key *packet, int input);

/* What a rewriter makes of a packet of a flow that nat_entry() has found. Fields that it has no use for are the packet's. */
struct nat_target nat_entry_target(const struct nat_rewriter *r, __u32 found, const struct nat_key *packet);

#endif
