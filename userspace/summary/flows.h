/* Packet summaries in a file for each flow, by packets' aggregate annotation; PAINT is their direction. Times and TCP sequence
 * numbers are relative to the flow's first packets.
 */
#pragma once

#include "summary/summary.h"

/* A part of a file's name. */
struct flow_name {
	char kind;		/* 0 for `text`, or ToIPFlowDumps' letter after % */
	int part;		/* of a number or an address, or -1 for all of it */
	int width;		/* minimum width in characters */
	bool zeros;		/* pad with zeros instead of underscores */
	const char *text;
};

struct flow_layout {
	struct summary_layout tcp, udp;		/* the fields after the time in a line; all in a record */
	const char *tcp_head, *udp_head;	/* the line with the fields' names */
	const struct flow_name *name;
	int parts;
	bool absolute_time, absolute_seq, binary;
	int format;				/* enum stream_format */
	__u32 least;				/* flows of fewer packets get no file */
};

struct flow_dumps;

/* Start; NULL when out of memory. `layout` must outlive the result. */
EXPORT struct flow_dumps *flow_dumps_new(const struct flow_layout *layout);
/* Add a packet; false if it belongs to no TCP or UDP flow. Files that can't be written are reported on standard error. */
EXPORT bool flow_dumps_add(struct flow_dumps *dumps, struct pkt *p);
/* End the aggregate's flow. */
EXPORT void flow_dumps_end(struct flow_dumps *dumps, __u32 aggregate);
EXPORT void flow_dumps_end_all(struct flow_dumps *dumps);
EXPORT void flow_dumps_free(struct flow_dumps *dumps);
