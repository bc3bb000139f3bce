#include <errno.h>
#include "icmp/icmp.h"
#include "ip/encap.h"

#define PING_HEADERS (sizeof(struct iphdr) + sizeof(struct icmp_header))

static void SELF(wait)(struct SELF(source) *s, __u64 due)
{
	s->due = due;
	s->waiting = true;
	timer_at(due);
}

static bool SELF(finished)(const struct SELF(source) *s)
{
	return s->limit >= 0 && s->count >= (__u64)s->limit;
}

/* Makes a ping of the packet, whose first bytes are to be the headers. Sequence numbers are never 0. */
static void SELF(write)(struct pkt *p, const struct SELF(source) *s)
{
	struct iphdr *ip = (struct iphdr *)p->data;
	struct icmp_header *icmp = (struct icmp_header *)(ip + 1);
	__u16 number = s->count % 0xffff + 1;
	struct ip_fields fields = {
		.ttl = 200, .protocol = PROTOCOL_ICMP, .id = number, .source = s->src, .destination = s->dst,
	};

	ip_write(p, ip, &fields);
	memset(icmp, 0, sizeof(*icmp));
	icmp->type = ICMP_ECHO;
	icmp->identifier = cfg.identifier;	/* its bytes as they lie in memory, as in Click */
	icmp->sequence = htons(number);
	icmp->checksum = checksum(icmp, pkt_len(p) - sizeof(*ip));
	p->timestamp = wall_clock();
	if (SELF(ninputs))
		private(receiver)->sent[number] = p->timestamp;
}

static struct pkt *SELF(make)(const struct SELF(source) *s)
{
	struct pkt *p = pkt_new(PKT_HEADROOM, PING_HEADERS + cfg.size);

	if (!p)
		return NULL;
	memcpy(p->data + PING_HEADERS, SELF(payload), cfg.size);
	SELF(write)(p, s);
	return p;
}

TIMER()
{
	struct SELF(source) *s = private(source);
	struct pkt *p;

	s->waiting = false;
	if (SELF(finished)(s)) {
		if (cfg.stop)
			driver_stop();
		return;
	}
	p = SELF(make)(s);
	if (!p)
		return;
	emit(p, 0);
	s->count++;
	SELF(wait)(s, s->due + s->interval);
}

PULL()
{
	struct SELF(source) *s = private(source);
	struct pkt *p;

	(void)output;
	if (SELF(finished)(s)) {
		if (cfg.stop && !s->ended)
			driver_stop();
		s->ended = true;
		return NULL;
	}
	p = SELF(make)(s);
	if (p)
		s->count++;
	return p;
}

/* Microseconds that the answer took; 0 if it doesn't say when it came. */
static __u32 SELF(account)(struct SELF(receiver) *r, __u64 arrived, __s64 *sent)
{
	__u32 took = 0;

	if (*sent < 0) {
		r->duplicates++;
		*sent = -*sent;
	}
	if (arrived) {
		took = ((__s64)arrived - *sent) / 1000;
		if (took < r->least || !r->received)
			r->least = took;
		if (took > r->most || !r->received)
			r->most = took;
		r->total += took;
		r->squares += (__u64)took * took;
	}
	r->received++;
	*sent = -*sent;
	return took;
}

static bool SELF(is_answer)(const struct iphdr *ip, const struct icmp_header *icmp)
{
	return ip && icmp && ip->protocol == PROTOCOL_ICMP && icmp->type == ICMP_ECHO_REPLY &&
	       icmp->identifier == cfg.identifier;
}

static void SELF(report)(const struct iphdr *ip, const struct icmp_header *icmp, __u32 took)
{
	const __u8 *from = (const __u8 *)&ip->saddr;

	fprintf(stderr, "%s :: ICMPPingSource: %d bytes from %u.%u.%u.%u: icmp_seq=%u ttl=%u time=%u.%03u ms\n", SELF(name),
		(int)(ntohs(ip->tot_len) - ip_header_length(ip) - sizeof(*icmp)), from[0], from[1], from[2], from[3],
		ntohs(icmp->sequence), ip->ttl, took / 1000, took % 1000);
}

/* The answer becomes the next ping. */
static bool SELF(mirror)(struct pkt *p, struct SELF(source) *s)
{
	int offset = pkt_network_offset(p);

	if (offset < 0 ? !pkt_push(p, -offset) : !pkt_pull(p, offset))
		return false;
	if (pkt_len(p) < PING_HEADERS)
		return false;
	SELF(write)(p, s);
	s->count++;
	return true;
}

ELEMENT(ICMPPingSource)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct icmp_header *icmp = pkt_transport_header(p, sizeof(*icmp));
	__s64 *sent;

	if (!SELF(is_answer)(ip, icmp))
		return DROP(DISCARDED);
	sent = &private(receiver)->sent[ntohs(icmp->sequence)];
	if (*sent) {
		__u32 took = SELF(account)(private(receiver), p->timestamp, sent);

		if (cfg.verbose)
			SELF(report)(ip, icmp, took);
	}
	return cfg.mirror && SELF(mirror)(p, private(source)) ? OUTPUT(0) : DROP(DISCARDED);
}

INIT()
{
	struct SELF(source) *s = private(source);

	if (cfg.mirror && !output_is_push(0)) {
		complain("MIRROR needs a push output");
		return -EINVAL;
	}
	if (s->limit && s->active && output_is_push(0))
		SELF(wait)(s, now() + s->interval);
	return 0;
}

CONTROL()
{
	struct SELF(source) *s = private(source);

	(void)argument;
	if (op == SELF(NEVER)) {
		timer_clear();
		s->waiting = false;
	} else if (!output_is_push(0)) {
		wake_pullers();
	} else if (!s->waiting) {
		SELF(wait)(s, op == SELF(NOW) ? now() : now() + s->interval);
	}
	return 0;
}
