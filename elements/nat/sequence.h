/* Differences of TCP sequence numbers in streams that were made longer or shorter. Runtime only.
 *
 * Each direction of a flow has a list of changes, the latest first: from sequence number `from` on the difference is `by`. The
 * list ends with a change that holds for all numbers (`always`) or, if there is none, with no difference. It has no more than
 * NAT_CHANGES, however many a stream goes through.
 */
#pragma once

#include "nat/flow.h"

/* Changes of a direction that are remembered: data before them would have to be that old that many commands were sent since. */
#define NAT_CHANGES 8

struct nat_change {
	struct nat_change *earlier;
	__u32 from;
	__s32 by;
	bool always;
};

/* The changes of a flow, by direction; all zero: no difference. */
struct nat_changes {
	struct nat_change *latest[2];
};

/* Free them all; NULL is allowed. */
void nat_changes_free(struct nat_changes *changes);
/* From sequence number `from` on, a direction's stream is longer by `by` more bytes. A repeated segment changes nothing. False if the
 * change is before one that is known already, or there is no memory.
 */
bool nat_change_sequence(struct nat_changes *changes, int direction, __u32 from, __s32 by);
/* A segment of `length` bytes from its TCP header on, ports and addresses done, gets its sequence number, its acknowledgement, and
 * the numbers of its selective acknowledgements (RFC 2018), and its checksum with them.
 */
void nat_rewrite_sequence(struct tcp_header *tcp, struct nat_changes *changes, int direction, __u32 length);
