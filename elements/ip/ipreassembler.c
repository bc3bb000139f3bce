#include "ip/transport.h"

#if USERSPACE

#include <errno.h>
#include <stdio.h>
#include "ip/reassembly.h"
#include "timestamps/timestamps.h"

#define NS_PER_SECOND 1000000000ull
#define PATIENCE 30	/* seconds that a packet may lack fragments while none comes */
#define REAP_EVERY 10	/* seconds */
#define FLOW_BUCKETS 256

enum { SELF(DUMP), SELF(FORGET) };

static struct partial *SELF(bucket)[FLOW_BUCKETS];

static struct partial **SELF(find)(const struct iphdr *ip)
{
	struct partial **place = &SELF(bucket)[ip->id % FLOW_BUCKETS];

	while (*place && !partial_is_of(*place, ip))
		place = &(*place)->next;
	return place;
}

/* Take it out of the table. */
static struct partial *SELF(remove)(struct partial **place)
{
	struct partial *partial = *place;

	*place = partial->next;
	private(table)->memory -= partial_memory(partial);
	return partial;
}

static void SELF(give_up)(struct partial **place, bool expired)
{
	struct partial *partial = SELF(remove)(place);
	struct pkt *p = partial_packet(partial);

	partial_free(partial);
	private(table)->failed++;
	if (!p)
		return;
	if (cfg.noutputs > 1)
		emit(p, 1);
	else if (expired)
		discard(p, EXPIRED);
	else
		discard(p, FULL);
}

/* Give up what has waited for more than `age` seconds, until no more than `memory` bytes are used. */
static void SELF(reap)(__u64 second, __u32 age, __u32 memory, bool expired)
{
	for (int i = 0; i < FLOW_BUCKETS; i++)
		for (struct partial **place = &SELF(bucket)[i]; *place;) {
			if (private(table)->memory <= memory)
				return;
			if (!age || (*place)->second + age < second)
				SELF(give_up)(place, expired);
			else
				place = &(*place)->next;
		}
}

/* First old ones, then any. */
static void SELF(make_room)(__u64 second)
{
	__u32 enough = cfg.himem / 4 * 3;

	SELF(reap)(second, 10, enough, false);
	SELF(reap)(second, 5, enough, false);
	SELF(reap)(second, 0, enough, false);
}

static struct partial *SELF(begin)(const struct iphdr *fragment)
{
	struct partial *partial = calloc(1, sizeof(*partial)), **bucket = &SELF(bucket)[fragment->id % FLOW_BUCKETS];

	if (!partial)
		return NULL;
	partial->key = *fragment;
	partial->flags = fragment->frag_off & ~htons(IP_OFFSET);
	partial->next = *bucket;
	*bucket = partial;
	private(table)->memory += partial_memory(partial);
	return partial;
}

static int SELF(whole)(struct partial **place, __u64 timestamp)
{
	struct partial *partial = SELF(remove)(place);
	struct pkt *p = partial_packet(partial);
	struct iphdr *ip;
	__u32 length;

	if (!p) {
		partial_free(partial);
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
	partial_free(partial);
	if (length > 0xffff) {
		private(table)->bad++;
		discard(p, MALFORMED);
	} else {
		private(table)->good++;
		emit(p, 0);
	}
	return STOLEN;
}

/* Its bytes [from, to) go where they belong, and what is then left of it is its header. */
static bool SELF(insert)(struct partial *partial, struct pkt *p, const struct iphdr *fragment, __u32 from, __u32 to)
{
	__u32 header = ip_header_length(fragment), length = header + to - from, before = partial->length;
	bool fits = partial_extend(partial, to) && partial_cover(partial, from, to);

	private(table)->memory += partial->length - before;
	if (!fits)
		return false;
	memcpy(partial->data + from, p->head + p->net + header, to - from);
	partial->second = p->timestamp / NS_PER_SECOND;
	partial->mtu = length > partial->mtu ? length : partial->mtu;
	if (!(fragment->frag_off & htons(IP_MF)))
		partial->flags &= ~htons(IP_MF);
	if (from == 0 || !partial->header)
		partial_take_header(partial, p, from == 0);
	else
		pkt_free(p);
	return true;
}

static int SELF(collect)(struct pkt *p, struct iphdr fragment, __u32 from, __u32 to)
{
	struct partial **place = SELF(find)(&fragment);
	__u64 timestamp = p->timestamp;

	if (*place && to > (*place)->length && !((*place)->flags & htons(IP_MF)))
		return DROP(MALFORMED);	/* behind the end */
	if (!*place && !SELF(begin)(&fragment))
		return DROP(NO_MEMORY);
	place = SELF(find)(&fragment);
	if (!SELF(insert)(*place, p, &fragment, from, to)) {
		if (!(*place)->header)
			partial_free(SELF(remove)(place));
		return DROP(NO_MEMORY);
	}
	return partial_is_whole(*place) ? SELF(whole)(place, timestamp) : STOLEN;
}

/* One of a fragment's edges is where none can be (RFC 791): beyond the largest packet, or between units of 8 bytes. */
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
	if (table->memory > cfg.himem)
		SELF(make_room)(second);
	return SELF(collect)(p, *ip, from, to);
}

/* What the handler `dump` has to say of the packets that aren't whole. */
static int SELF(describe)(struct SELF(table) *table)
{
	size_t length;
	FILE *to = open_memstream((char **)&table->text, &length);

	if (!to)
		return -ENOMEM;
	for (int i = 0; i < FLOW_BUCKETS; i++)
		for (const struct partial *partial = SELF(bucket)[i]; partial; partial = partial->next) {
			const __u8 *source = (const __u8 *)&partial->key.saddr, *destination = (const __u8 *)&partial->key.daddr;
			const __be16 *port = (const __be16 *)(partial->span[0].from == 0 ? partial->data : NULL);

			fprintf(to, " (%u.%u.%u.%u, %u, %u.%u.%u.%u, %u) %u", source[0], source[1], source[2], source[3],
				port ? ntohs(port[0]) : 0, destination[0], destination[1], destination[2], destination[3],
				port ? ntohs(port[1]) : 0, ntohs(partial->key.id));
			for (__u32 n = 0; n < partial->spans; n++)
				fprintf(to, " (%u,%u)", partial->span[n].from, partial->span[n].to);
			fputc('\n', to);
		}
	return fclose(to) ? -ENOMEM : 0;
}

CONTROL()
{
	struct SELF(table) *table = private(table);

	(void)argument;
	if (op == SELF(DUMP))
		return SELF(describe)(table);
	free(table->text);
	table->text = NULL;
	return 0;
}

CLEANUP()
{
	for (int i = 0; i < FLOW_BUCKETS; i++)
		while (SELF(bucket)[i]) {
			struct partial *partial = SELF(remove)(&SELF(bucket)[i]);

			pkt_free(partial->header);
			partial_free(partial);
		}
}

#endif

ELEMENT(IPReassembler)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (!ip)
		return DROP(MALFORMED);
	if (!ip_is_fragment(ip))
		return OUTPUT(0);
	if (!USERSPACE)
		return PUNT;
#if USERSPACE
	return SELF(fragment)(p);
#endif
}
