#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include "summary/summary.h"
#include "ip6/ip6.h"

/* The chain of an IPv6 packet's extension headers, within the bytes that every kernel path copies: up to an annotated transport header,
 * and SELF(NETWORK) bytes in any case. NULL for packets other than IPv6.
 */
static const struct summary_chain *SELF(chain)(struct pkt *p, struct summary_chain *chain)
{
	const struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	struct ip6_inner inner;
	bool annotated;

	if (!ip || ip6_version(ip) != 6)
		return NULL;
	inner = ip6_walk(p, ip);
	annotated = pkt_has_transport_header(p) && inner.offset == pkt_transport_offset(p) - pkt_network_offset(p);
	if (inner.protocol < 0 || (inner.offset + SELF(TRANSPORT) > SELF(NETWORK) && !annotated))
		inner = (struct ip6_inner){.protocol = -1, .offset = sizeof(*ip)};
	*chain = (struct summary_chain){
		.protocol = inner.protocol, .offset = inner.offset, .fragment = inner.fragment, .later = inner.later,
	};
	return chain;
}

/* Write one line for the packet as it is. Flush standard output, as others may write to it too. */
static void SELF(write_one)(struct pkt *p)
{
	static const struct summary_layout layout = {
		.fields = SELF(columns),
		.count = cfg.count,
		.binary = cfg.binary,
		.bad_packets = cfg.bad_packets,
		.careful = cfg.careful_trunc,
		.extra_length = cfg.extra_length,
		.looks_at_ip = cfg.looks_at_ip,
		.names = SELF(names),
	};
	struct SELF(writer) *w = private(writer);
	struct text line = {.bytes = w->text, .room = w->room};
	struct summary_chain chain;

	summary_write(&layout, p, SELF(chain)(p, &chain), &line);
	w->text = line.bytes;
	w->room = line.room;
	fwrite(line.bytes, 1, line.length, w->file);
	if (cfg.is_stdout)
		fflush(w->file);
}

static void SELF(write_rest)(struct pkt *p, __u32 packets, __u64 extra_length, __u64 last)
{
	__u64 *first = (__u64 *)(p->anno + FIRST_TIMESTAMP_ANNO), before = *first;

	*first = p->timestamp;
	p->timestamp = last;
	pkt_set_anno_u32(p, EXTRA_PACKETS_ANNO, packets - 1);
	pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, extra_length < UINT32_MAX ? extra_length : UINT32_MAX);
	SELF(write_one)(p);
	*first = before;
}

/* Write a line for each of the packets represented by this one: they share its length, and the time from the first to the last.
 * Their number comes from a dump and may be large, so the last of cfg.most_lines lines represents all remaining packets.
 */
static void SELF(write_many)(struct pkt *p, __u32 packets)
{
	__u64 first = *(__u64 *)(p->anno + FIRST_TIMESTAMP_ANNO), last = p->timestamp;
	__s64 step = first ? (__s64)(last - first) / (__s64)(packets - 1) : 0;
	__u32 length = pkt_len(p);
	const __u32 rest = packets > cfg.most_lines ? packets - cfg.most_lines + 1 : 0;
	__u64 total = length + (cfg.extra_length ? pkt_anno_u32(p, EXTRA_LENGTH_ANNO) : 0);

	if (total < (__u64)packets * length)
		total = (__u64)packets * length;
	if (first)
		p->timestamp = first;
	pkt_set_anno_u32(p, EXTRA_PACKETS_ANNO, 0);
	for (__u32 left = packets; left > rest; left--) {
		__u32 share = total / left;

		pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, share - length);
		total -= share;
		SELF(write_one)(p);
		p->timestamp += step;
	}
	if (rest)
		SELF(write_rest)(p, rest, total - length, last);
	p->timestamp = last;
}

static void SELF(write)(struct pkt *p)
{
	__u32 packets = 1 + pkt_anno_u32(p, EXTRA_PACKETS_ANNO);

	if (!private(writer)->active)
		return;
	if (cfg.multipacket && packets > 1)
		SELF(write_many)(p, packets);
	else
		SELF(write_one)(p);
}

#include "trace/recording.inc.h"

ELEMENT(ToIPSummaryDump)
{
	return SELF(record)(p);
}

/* Open the file (its header is already written), or flush the buffer. */
CONTROL()
{
	struct SELF(writer) *w = private(writer);

	if (op == SELF(FLUSH))
		return w->file && fflush(w->file) ? -errno : 0;
	w->file = fdopen(w->fd, "wb");
	if (!w->file) {
		complain("out of memory");
		return -ENOMEM;
	}
	w->fd = -1;
	w->active = true;
	if (!input_is_push(0))
		task_schedule();
	return 0;
}

CLEANUP()
{
	struct SELF(writer) *w = private(writer);
	struct text line = {.bytes = w->text};

	if (w->file)
		fclose(w->file);
	text_free(&line);
}
