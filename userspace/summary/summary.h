/* Packet summaries: a line or a binary record for each packet, with the fields that the file names.
 *
 * A field has functions that read it from a packet (`get`) and write it into one (`set`), and a format for its value in lines and
 * records. elements/trace/_fields.py lists the fields, and generates the tables of `struct summary_field`; functions are named
 * after fields: GET(ip_src), SET(ip_src), FORMAT(address).
 */
#pragma once

#include "pkt.h"
#include "summary/text.h"

/* A name for a number in the router's context; the kinds are the Python table's. */
struct summary_name {
	int kind;
	const char *name;
	__u64 value;
};

enum summary_kind {
	SUMMARY_IP,		/* address, host order */
	SUMMARY_ETHER,		/* 48 bits */
	SUMMARY_PROTOCOL,
	SUMMARY_ICMP_TYPE,
	SUMMARY_ICMP_CODE,		/* + the type */
};

struct summary_format;
struct summary_view;
struct summary_maker;

struct summary_field {
	const char *name;
	const struct summary_format *format;
	int order;					/* order in which fields are put into a packet */
	bool (*get)(struct summary_view *view);		/* false if this packet doesn't have it */
	void (*set)(struct summary_maker *maker);	/* NULL if the field can't be read from a file */
};

/* The protocol after the header and the extension headers of an IPv6 packet. */
struct summary_chain {
	int protocol;		/* -1 if unknown */
	int offset;		/* from the IPv6 header */
	int fragment;		/* the fragment header, counted from the IPv6 header, or 0 */
	bool later;		/* the fragment header belongs to a fragment after the first */
};

struct summary_layout {
	const struct summary_field *const *fields;
	int count;
	bool binary, bad_packets, careful, extra_length;
	bool looks_at_ip;	/* some field belongs to the IP packet */
	const struct summary_name *names;
};

/* Add the packet's line or record to `out`. `chain` is for packets with a complete IPv6 header as network header, otherwise NULL. */
EXPORT void summary_write(const struct summary_layout *layout, struct pkt *p, const struct summary_chain *chain, struct text *out);

struct summary_alias {
	const char *name;
	int field;
};

/* The possible contents of a file, and the defaults. */
struct summary_schema {
	const struct summary_field *fields;
	const struct summary_alias *aliases;	/* the names of all fields; ends with NULL */
	const struct summary_name *names;
	const char *file_name;
	const char *default_fields;	/* like the rest of a line "!data" or "!flowid", or NULL */
	const char *default_flow;
	__u8 protocol;
	bool zero;
};

struct summary_reader;

enum summary_found { SUMMARY_PACKET, SUMMARY_NOTHING, SUMMARY_END };

/* Read from the file descriptor `fd`, which the reader takes over, even on failure. Returns 0 or -errno. */
#define SUMMARY_COMPLAINT 256
EXPORT int summary_open(struct summary_reader **reader, int fd, const struct summary_schema *schema, bool may_be_empty,
			char *complaint);
/* Read the next packet; errors in the file are reported on standard error. */
EXPORT enum summary_found summary_read(struct summary_reader *reader, struct pkt **p);
EXPORT __u64 summary_position(const struct summary_reader *reader);
EXPORT void summary_close(struct summary_reader *reader);
