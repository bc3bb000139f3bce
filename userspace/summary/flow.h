/* One of the flows of flows.h: its name, and the lines about its packets. */
#pragma once

#include "summary/flows.h"

struct flow {
	__u32 aggregate;
	__u8 protocol;
	bool begun, known[2];		/* the file has begun; the first sequence numbers are known */
	__be32 source, destination;
	__be16 ports[2];
	__u32 first[2];
	__u64 first_time, packets;
	struct text name, text;
};

/* Begin a flow with a packet; NULL when out of memory, or if the packet is incomplete. The caller frees the flow and its texts. */
struct flow *flow_begin(const struct flow_layout *layout, struct pkt *p, __u32 aggregate);
/* The lines before the first packet. */
void flow_add_head(const struct flow_layout *layout, const struct flow *flow, struct text *out);
/* Add a line about a packet in the `direction`, 0 or 1, to `flow->text`. */
void flow_add_packet(const struct flow_layout *layout, struct flow *flow, struct pkt *p, int direction);
/* The same for an ICMP error. */
void flow_add_error(const struct flow_layout *layout, struct flow *flow, const struct pkt *p, int direction);
