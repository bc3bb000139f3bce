/* Differences of TCP sequence numbers in streams whose length a rewriter has changed. Runtime only.
 *
 * Each direction of a flow has a list of at most NAT_CHANGES changes, the latest first: from sequence number `from` on, the
 * difference is `by`. The last one may hold for all earlier numbers (`always`); without such a change they have no difference.
 */
#pragma once

#include "nat/flow.h"

/* The most changes of a direction to remember: data before the oldest would be as old as that many commands. */
#define NAT_CHANGES 8

struct nat_change {
	struct nat_change *earlier;
	__u32 from;
	__s32 by;
	bool always;
};

/* A flow's changes, by direction. All zero means no difference. */
struct nat_changes {
	struct nat_change *latest[2];
};

/* Free them all; NULL is allowed. */
void nat_changes_free(struct nat_changes *changes);
/* Record that a direction's stream is `by` bytes longer from sequence number `from` on. A repeated segment changes nothing. False
 * if a later change is known already, or if there is no memory.
 */
bool nat_change_sequence(struct nat_changes *changes, int direction, __u32 from, __s32 by);
/* Rewrite sequence number, acknowledgement and selective acknowledgements (RFC 2018) of a segment of `length` bytes from its TCP
 * header on, and its checksum. Addresses and ports have been rewritten before.
 */
void nat_rewrite_sequence(struct tcp_header *tcp, struct nat_changes *changes, int direction, __u32 length);
