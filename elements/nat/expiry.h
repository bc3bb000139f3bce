/* When flows end: how long they stay, and in which order they make room for others. Runtime only.
 *
 * Flows are in one of three heaps, which their marks say. Those that were begun from outside and aren't answered (NAT_UNANSWERED) make
 * room first, and for any other flow. Flows at best effort make room in the order of their times, for flows that stay longer. Those with a
 * guarantee (NAT_GUARANTEED) make none.
 */
#pragma once

#include "nat/keeper.h"

/* Whether a flow that isn't in a heap yet gets a place, and that place; other flows may have to end for it. In a full table whose flows
 * were all seen lately some flows get none, and each saves the next one steps.
 */
bool nat_make_room(struct nat_rewriter *r, const struct nat_flow *flow, __u64 time);
/* Whether a host has as many flows as it may have, after flows whose time is up have ended. */
bool nat_has_its_share(struct nat_rewriter *r, __be32 address, __u64 time);
/* A flow, whose fields are set, waits for its end. False, and it doesn't, without memory. */
bool nat_enter_heap(struct nat_rewriter *r, struct nat_flow *flow);
void nat_leave_heap(struct nat_rewriter *r, struct nat_flow *flow);
