#include "ip/transport.h"

#if USERSPACE

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "ip/reassembly.h"
#include "common/clock.h"
#include "timestamps/timestamps.h"

#define PATIENCE 30	/* seconds without a fragment before a packet is given up */
#define REAP_EVERY 10	/* seconds */

LASTING(struct partials, all);

static void SELF(give_up)(struct partial4 *partial, bool expired)
{
	struct pkt *p;

	partials_remove(SELF(all), &partial->waiting);
	p = partial4_packet(partial);
	partial4_free(partial);
	private(table)->failed++;
	if (!p)
		return;
	if (SELF(noutputs) > 1)
		emit(p, 1);
	else if (expired)
		discard(p, EXPIRED);
	else
		discard(p, FULL);
}

/* Give up partial packets without a fragment for more than `age` seconds, until at most `memory` bytes are used. There are at most
 * HIMEM / PARTIAL_OVERHEAD. All are checked every ten seconds, and whenever another quarter of HIMEM has been filled.
 */
static void SELF(reap)(__u64 second, __u32 age, __u32 memory, bool expired)
{
	struct partial *next;

	for (struct partial *each = SELF(all)->oldest; each && SELF(all)->memory > memory; each = next) {
		struct partial4 *partial = (struct partial4 *)each;

		next = each->newer;
		if (!age || partial->second + age < second)
			SELF(give_up)(partial, expired);
	}
}

/* Give up old ones first, then any. */
static void SELF(make_room)(__u64 second)
{
	__u32 enough = cfg.himem / 4 * 3;

	SELF(reap)(second, 10, enough, false);
	SELF(reap)(second, 5, enough, false);
	SELF(reap)(second, 0, enough, false);
}

static int SELF(whole)(struct partial4 *partial, __u64 timestamp)
{
	struct iphdr *ip;
	struct pkt *p;
	__u32 length;

	partials_remove(SELF(all), &partial->waiting);
	p = partial4_packet(partial);
	if (!p) {
		partial4_free(partial);
		return STOLEN;
	}
	ip = (struct iphdr *)(p->head + p->net);
	length = pkt_len(p) - pkt_network_offset(p);
	ip->tot_len = htons(length);
	ip->check = 0;
	ip->check = checksum(ip, ip_header_length(ip));
	p->timestamp = timestamp;
	pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, 0);
	if (cfg.marks_mtu)
		pkt_set_anno_u16(p, cfg.max_mtu_anno, partial->mtu);
	partial4_free(partial);
	if (length > 0xffff) {
		private(table)->bad++;
		discard(p, MALFORMED);
	} else {
		private(table)->good++;
		emit(p, 0);
	}
	return STOLEN;
}

/* Copy the fragment's bytes [from, to) to their place; of the fragment itself only the header is kept. */
static bool SELF(insert)(struct partial4 *partial, struct pkt *p, const struct iphdr *fragment, __u32 from, __u32 to)
{
	__u32 header = ip_header_length(fragment), length = header + to - from, before = partial->length;
	bool fits = partial4_extend(partial, to) && partial4_cover(partial, from, to);

	partials_count(SELF(all), &partial->waiting, partial->length - before);
	if (!fits)
		return false;
	memcpy(partial->data + from, p->head + p->net + header, to - from);
	partial->second = p->timestamp / NS_PER_SECOND;
	partial->mtu = length > partial->mtu ? length : partial->mtu;
	if (!(fragment->frag_off & htons(IP_MF)))
		partial->flags &= ~htons(IP_MF);
	if (from == 0 || !partial->header)
		partial4_take_header(partial, p, from == 0);
	else
		pkt_free(p);
	return true;
}

static int SELF(collect)(struct pkt *p, struct iphdr fragment, __u32 from, __u32 to)
{
	struct partial4 *partial = partial4_find(SELF(all), &fragment);
	__u64 timestamp = p->timestamp;

	if (partial && to > partial->length && !(partial->flags & htons(IP_MF)))
		return DROP(MALFORMED);	/* after the end */
	if (!partial && !(partial = partial4_begin(SELF(all), &fragment)))
		return DROP(NO_MEMORY);
	if (!SELF(insert)(partial, p, &fragment, from, to)) {
		if (!partial->header) {
			partials_remove(SELF(all), &partial->waiting);
			partial4_free(partial);
		}
		return DROP(NO_MEMORY);
	}
	return partial4_is_whole(partial) ? SELF(whole)(partial, timestamp) : STOLEN;
}

/* Whether a fragment begins or ends at an impossible offset (RFC 791): beyond the largest packet, or inside a unit of 8 bytes. */
static bool SELF(is_wrong)(struct pkt *p, const struct iphdr *ip, __u32 from, __s64 to)
{
	return to > 0xffff || to <= from || (to % 8 && ip->frag_off & htons(IP_MF)) ||
	       !pkt_network_data(p, ip_header_length(ip), to - from);
}

static int SELF(fragment)(struct pkt *p)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct SELF(table) *table = private(table);
	__u32 from = (ntohs(ip->frag_off) & IP_OFFSET) * 8;
	__s64 to = (__s64)from + ntohs(ip->tot_len) - ip_header_length(ip);
	__u64 second;

	table->seen++;
	if (!has_timestamp(p))
		p->timestamp = wall_clock();
	second = p->timestamp / NS_PER_SECOND;
	if (second >= table->reap_at) {
		SELF(reap)(second, PATIENCE, 0, true);
		table->reap_at = second + REAP_EVERY;
	}
	if (SELF(is_wrong)(p, ip, from, to)) {
		table->bad++;
		return DROP(MALFORMED);
	}
	if (SELF(all)->memory > cfg.himem)
		SELF(make_room)(second);
	return SELF(collect)(p, *ip, from, to);
}

/* The text of the handler `dump` about partial packets. */
static int SELF(describe)(struct SELF(table) *table)
{
	size_t length;
	FILE *to = open_memstream((char **)&table->text, &length);

	if (!to)
		return -ENOMEM;
	for (const struct partial *each = SELF(all)->oldest; each; each = each->newer) {
		const struct partial4 *partial = (const struct partial4 *)each;
		const struct iphdr *ip = (const struct iphdr *)(partial->header->head + partial->header->net);
		const __u8 *source = (const __u8 *)&ip->saddr, *destination = (const __u8 *)&ip->daddr;
		const __be16 *port = (const __be16 *)(partial->span[0].from == 0 ? partial->data : NULL);

		fprintf(to, " (%u.%u.%u.%u, %u, %u.%u.%u.%u, %u) %u", source[0], source[1], source[2], source[3],
			port ? ntohs(port[0]) : 0, destination[0], destination[1], destination[2], destination[3],
			port ? ntohs(port[1]) : 0, ntohs(ip->id));
		for (__u32 n = 0; n < partial->spans; n++)
			fprintf(to, " (%u,%u)", partial->span[n].from, partial->span[n].to);
		fputc('\n', to);
	}
	return fclose(to) ? -ENOMEM : 0;
}

CONTROL()
{
	struct SELF(table) *table = private(table);

	if (op == SELF(DUMP))
		return SELF(describe)(table);
	if (op == SELF(TAKE))
		return partials_take(SELF(all), *(struct partials **)argument);
	if (op == SELF(WHERE)) {
		*(struct partials **)argument = SELF(all);
		return 0;
	}
	free(table->text);
	table->text = NULL;
	return 0;
}

INIT()
{
	return partials_open(SELF(all), cfg.himem / PARTIAL_OVERHEAD) ? 0 : -ENOMEM;
}

CLEANUP()
{
	partials_close(SELF(all), partial4_forget);
}

#endif

MARKED_ELEMENT(IPReassembler, const struct iphdr, ip)
{
	if (!ip_is_fragment(ip))
		return OUTPUT(0);
	return IN_USERSPACE(SELF(fragment)(p));
}
