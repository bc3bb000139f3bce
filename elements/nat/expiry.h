/* The end of flows: their timeouts, and the order in which they make room for others. Runtime only.
 *
 * Each flow is in one of three heaps, by its marks. Flows begun from outside and not yet answered (NAT_UNANSWERED) make room first,
 * and for any other flow. Best-effort flows make room in the order of expiry, for flows that expire later. Flows with a guarantee
 * (NAT_GUARANTEED) make no room.
 */
#pragma once

#include "nat/keeper.h"

/* Make room for a flow that isn't in a heap yet, by ending other flows if necessary; false if that fails. In a full table whose
 * flows have all been seen recently this may fail within the limit of steps; each attempt saves the next one steps.
 */
bool nat_make_room(struct nat_rewriter *r, const struct nat_flow *flow, __u64 time);
/* Whether a host has reached its limit of flows, after expired flows have been ended. */
bool nat_has_its_share(struct nat_rewriter *r, __be32 address, __u64 time);
/* Put a flow whose fields are set into its heap. False if there is no memory. */
bool nat_enter_heap(struct nat_rewriter *r, struct nat_flow *flow);
void nat_leave_heap(struct nat_rewriter *r, struct nat_flow *flow);
