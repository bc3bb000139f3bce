#include <stdio.h>
#include "summary/summary.h"
#include "icmp/icmp.h"
#include "ip6/checksum.h"
#include "tcpudp/checksum.h"
#include "trace/sample.inc.h"

static void SELF(end)(struct SELF(reader) *r)
{
	if (r->ended)
		return;
	r->ended = true;
	if (cfg.stop)
		driver_stop();
}

/* -- checksums ------------------------------------------------------------------------------------------------------ */

/* A short packet may end before the checksum field, and then has no checksum. */
static void SELF(set_transport_checksum)(struct pkt *p, const struct iphdr *ip)
{
	__u32 offset = ip->protocol == PROTOCOL_TCP	? offsetof(struct tcp_header, checksum) :
		       ip->protocol == PROTOCOL_UDP	? offsetof(struct udp_header, checksum) :
		       ip->protocol == PROTOCOL_ICMP	? offsetof(struct icmp_header, checksum) :
							  ~0u;
	__u8 *header = offset == ~0u ? NULL : pkt_transport_header(p, offset + sizeof(__u16));
	__u64 sum;

	if (!header)
		return;
	word16(header + offset) = 0;
	if (ip->protocol == PROTOCOL_ICMP)
		sum = (__u16)~checksum(header, transport_length(p));
	else
		transport_sum(p, ip, transport_length(p), &sum);
	word16(header + offset) = ~checksum_fold(sum);
}

/* Extend a packet to the length in its IP header. */
static bool SELF(fill_up)(struct pkt *p, int length)
{
	int missing = length - ((int)pkt_len(p) - pkt_network_offset(p));
	__u32 extra = pkt_anno_u32(p, EXTRA_LENGTH_ANNO);

	if (missing <= 0)
		return true;
	if (!pkt_put(p, missing))
		return false;
	if (cfg.zero)
		memset(p->tail - missing, 0, missing);
	pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, extra > (__u32)missing ? extra - missing : 0);
	return true;
}

/* UDP messages always get a checksum, as 0 doesn't mean "none" in IPv6 (RFC 8200, 8.1). */
static void SELF(set_checksums6)(struct pkt *p)
{
	struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	struct ip6_inner inner;
	__u16 *field;
	__u64 sum;

	if (!ip || !SELF(fill_up)(p, sizeof(*ip) + ntohs(ip->length)))
		return;
	ip = pkt_network_header(p, sizeof(*ip));
	inner = ip6_walk(p, ip);
	field = inner.fragment ? NULL : ip6_transport_field(p, &inner);
	if (!field)
		return;
	*field = 0;
	if (!ip6_transport_sum(p, ip, &inner, ip6_inner_length(ip, &inner), &sum))
		return;
	*field = ~checksum_fold(sum);
	if (inner.protocol == PROTOCOL_UDP && !*field)
		*field = 0xffff;
}

static void SELF(set_checksums)(struct pkt *p)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (ip && ip->version == 6)
		return SELF(set_checksums6)(p);
	if (!ip || !SELF(fill_up)(p, ntohs(ip->tot_len)))
		return;
	ip = pkt_network_header(p, sizeof(*ip));
	ip->check = 0;
	ip->check = checksum(ip, ip_header_length(ip));
	if (!ip_is_fragment(ip) && pkt_has_transport_header(p))
		SELF(set_transport_checksum)(p, ip);
}

/* -- a line that represents several packets -------------------------------------------------------------------------- */

/* Set the length of the IP packet, given the length with the headers before it. */
static void SELF(set_length)(struct pkt *p, __u32 length)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct ip6_header *ip6 = pkt_network_header(p, sizeof(*ip6));
	struct udp_header *udp = pkt_transport_header(p, sizeof(*udp));
	bool is_udp;

	if (!ip)
		return;
	length -= pkt_network_offset(p);
	if (ip->version == 6 && ip6) {
		ip6->length = htons((__u16)(length - sizeof(*ip6)));
		is_udp = ip6_walk(p, ip6).protocol == PROTOCOL_UDP;
	} else {
		ip->tot_len = htons((__u16)length);
		is_udp = ip->protocol == PROTOCOL_UDP;
	}
	if (is_udp && udp)
		udp->length = htons((__u16)(length - (pkt_transport_offset(p) - pkt_network_offset(p))));
}

/* Share the bytes equally, with the rest for the last packet; spread timestamps from the first to the last in equal steps. */
static void SELF(start_sharing)(struct SELF(reader) *r, struct pkt *p, __u32 packets)
{
	__u64 first = *(__u64 *)(p->anno + FIRST_TIMESTAMP_ANNO);
	__u32 length = pkt_len(p);

	r->share = (length + pkt_anno_u32(p, EXTRA_LENGTH_ANNO)) / packets;
	if (r->share < length) {
		r->share = length;
		pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, r->share * (packets - 1));
	}
	r->last = p->timestamp;
	r->step = first ? (__s64)(p->timestamp - first) / (__s64)(packets - 1) : 0;
	if (first)
		p->timestamp = first;
	SELF(set_length)(p, r->share);
	r->shared = true;
}

/* Take the next of the packets represented by `p`; the others wait. */
static struct pkt *SELF(take_one)(struct SELF(reader) *r, struct pkt *p)
{
	__u32 packets = 1 + pkt_anno_u32(p, EXTRA_PACKETS_ANNO);
	struct pkt *one;

	if (!cfg.multipacket || packets == 1) {
		r->shared = false;
		return p;
	}
	if (!r->shared)
		SELF(start_sharing)(r, p, packets);
	one = pkt_clone(p);
	if (one) {
		pkt_set_anno_u32(one, EXTRA_PACKETS_ANNO, 0);
		pkt_set_anno_u32(one, EXTRA_LENGTH_ANNO, r->share - pkt_len(p));
	}
	pkt_set_anno_u32(p, EXTRA_PACKETS_ANNO, packets - 2);
	pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, pkt_anno_u32(p, EXTRA_LENGTH_ANNO) - r->share);
	if (packets == 2) {
		p->timestamp = r->last;
		SELF(set_length)(p, pkt_len(p) + pkt_anno_u32(p, EXTRA_LENGTH_ANNO));
	} else {
		p->timestamp += r->step;
	}
	r->waiting = p;
	return one;
}

/* -- reading -------------------------------------------------------------------------------------------------------- */

/* Whether the packet is due; if not, let it wait, and set the timer. */
static bool SELF(is_due)(struct SELF(reader) *r, struct pkt *p)
{
	__u64 time = now();

	if (!cfg.timing)
		return true;
	if (!r->timed) {
		r->offset = time - p->timestamp;
		r->timed = true;
	}
	if (time >= p->timestamp + r->offset)
		return true;
	r->waiting = p;
	timer_at(p->timestamp + r->offset);
	return false;
}

static struct pkt *SELF(read)(struct SELF(reader) *r, bool *more)
{
	struct pkt *p = r->waiting;
	enum summary_found found;

	*more = true;
	r->waiting = NULL;
	if (p)
		return p;
	found = r->file ? summary_read(r->file, &p) : SUMMARY_END;
	if (found == SUMMARY_END) {
		SELF(end)(r);
		*more = false;
	} else {
		r->position = summary_position(r->file);
	}
	if (found != SUMMARY_PACKET)
		return NULL;
	if (cfg.checksum)
		SELF(set_checksums)(p);
	return p;
}

/* The next packet that is due. *more says whether to call again at once. */
static struct pkt *SELF(next)(struct SELF(reader) *r, bool *more)
{
	struct pkt *p;

	*more = false;
	if (!r->active)
		return NULL;
	for (;;) {
		p = SELF(read)(r, more);
		if (!p)
			return NULL;
		if (!SELF(is_due)(r, p)) {
			*more = false;
			return NULL;
		}
		p = SELF(take_one)(r, p);
		if (!p || SELF(sampled)())
			return p;
		pkt_free(p);
	}
}

#include "trace/reading.inc.h"

INIT()
{
	static const struct summary_schema schema = {
		.fields = SELF(fields),
		.aliases = SELF(aliases),
		.names = SELF(names),
		.file_name = cfg.name,
		.default_fields = cfg.default_fields,
		.default_flow = cfg.default_flow,
		.protocol = cfg.proto,
		.zero = cfg.zero,
	};
	struct SELF(reader) *r = private(reader);
	char complaint[SUMMARY_COMPLAINT] = "";
	struct summary_reader *file;
	int error;

	if (r->fd >= 0) {
		error = summary_open(&file, r->fd, &schema, cfg.allow_nonexistent, complaint);
		r->fd = -1;
		if (error) {
			if (*complaint)
				complain(complaint);
			return error;
		}
		r->file = file;
	}
	if (r->active)
		SELF(go)();
	return 0;
}

CLEANUP()
{
	struct SELF(reader) *r = private(reader);

	if (r->waiting)
		pkt_free(r->waiting);
	if (r->file)
		summary_close(r->file);
}

/* A write to the handler `active`. */
CONTROL()
{
	struct SELF(reader) *r = private(reader);

	if (r->active) {
		r->ended = false;
		SELF(go)();
	}
	return 0;
}
