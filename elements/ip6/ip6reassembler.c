#include "ip6/ip6.h"

#if USERSPACE

#include <errno.h>
#include <string.h>
#include "common/clock.h"
#include "ip6/reassembly6.h"

#define REASSEMBLY_PATIENCE (60 * NS_PER_SECOND)	/* RFC 8200, 4.5 */

LASTING(struct partials, all);

/* A fragment. Offsets count from the IPv6 header; [from, to) is its part of what was divided. */
struct SELF(fragment) {
	struct ip6_header *ip;
	__u32 at, naming;	/* the fragment header, and the byte that announces it */
	__u32 from, to;
	__be32 id;
	bool more;
};

/* Whether the first fragment has all headers (RFC 7112, 5). */
static bool SELF(has_headers)(struct pkt *p, struct ip6_inner at)
{
	ip6_walk_chain(p, &at);
	return at.protocol >= 0 && at.protocol != IP6_FRAGMENT;
}

/* False if the fragment is malformed. */
static bool SELF(read)(struct pkt *p, struct SELF(fragment) *f)
{
	struct ip6_inner at = { .protocol = f->ip->next, .offset = sizeof(*f->ip), .named = offsetof(struct ip6_header, next) };
	const __u8 *header;
	__u32 end = sizeof(*f->ip) + ntohs(f->ip->length);

	while (at.protocol != IP6_FRAGMENT) {
		const int offset = at.offset;

		f->naming = at.offset;
		ip6_step_over(pkt_network_data(p, offset, 8), &at);
		if (at.protocol < 0)
			return false;
	}
	f->at = at.offset;
	f->naming = f->at == sizeof(*f->ip) ? offsetof(struct ip6_header, next) : f->naming;
	header = pkt_network_data(p, f->at, 8);
	if (!header || f->at + 8 > end || !pkt_network_data(p, 0, end))
		return false;
	f->from = ntohs(word16(header + 2)) & 0xfff8;
	f->more = header[3] & 1;
	f->id = word32(header + 4);
	f->to = f->from + end - f->at - 8;
	ip6_step_over(header, &at);
	if (f->from == 0 && !SELF(has_headers)(p, at))
		return false;
	return (f->to > f->from || !f->more) && !(f->more && f->to % 8) && f->at - sizeof(*f->ip) + f->to <= 0xffff;
}

/* Finishes the packet whose first fragment this was: removes the fragment header, which `total` bytes follow. */
static void SELF(finish)(struct pkt *p, __u32 total)
{
	struct SELF(fragment) f = { .ip = pkt_network_header(p, sizeof(*f.ip)) };
	const int before = pkt_network_offset(p);
	struct ip6_inner inner;

	SELF(read)(p, &f);
	((__u8 *)f.ip)[f.naming] = *((__u8 *)f.ip + f.at);
	f.ip->length = htons((__u16)(f.at - sizeof(*f.ip) + total));
	memmove(p->data + 8, p->data, before + f.at);
	pkt_pull(p, 8);
	if (pkt_has_mac_header(p))
		p->mac += 8;
	pkt_set_network_header(p, before);
	inner = ip6_walk(p, pkt_network_header(p, sizeof(*f.ip)));
	pkt_set_transport_header(p, before + inner.offset);
	private(table)->good++;
	emit(p, 0);
}

/* Takes a partial packet out and drops its fragments, except the first if that is to be reported to the sender (RFC 8200, 4.5). */
static void SELF(give_up)(struct partial6 *partial, bool report)
{
	bool has_first = partial->first && partial->first->from == 0;
	struct pkt *p;

	partials_remove(SELF(all), &partial->waiting);
	private(table)->failed++;
	private(table)->waiting--;
	if (report && has_first && SELF(noutputs) > 1 && (p = partial6_take(partial)))
		emit(p, 1);
	while ((p = partial6_take(partial)))
		discard(p, EXPIRED);
	free(partial);
}

/* Whether the complete packet would be too long for its header. Each fragment alone was short enough with its own headers, but the
 * first fragment's count.
 */
static bool SELF(is_too_long)(const struct partial6 *partial)
{
	struct pkt *p = partial->first->p;
	struct SELF(fragment) f = { .ip = pkt_network_header(p, sizeof(*f.ip)) };

	SELF(read)(p, &f);
	return f.at - sizeof(*f.ip) + partial->total > 0xffff;
}

static void SELF(whole)(struct partial6 *partial)
{
	const __u32 length = partial->first->to, total = partial->total;
	struct pkt *whole, *p;
	__u8 *at;

	partials_remove(SELF(all), &partial->waiting);
	private(table)->waiting--;
	whole = partial6_take(partial);
	pkt_trim(whole, pkt_network_offset(whole) + sizeof(struct ip6_header) +
				ntohs(((struct ip6_header *)(whole->head + whole->net))->length));
	if (!pkt_put(whole, total - length)) {
		discard(whole, NO_MEMORY);
		whole = NULL;
	}
	at = whole ? whole->tail - (total - length) : NULL;
	for (struct piece6 *piece = partial->first; piece; piece = partial->first) {
		const __u32 bytes = piece->to - piece->from;
		const struct ip6_header *ip = pkt_network_header(piece->p, sizeof(*ip));

		if (whole) {
			memcpy(at, (const __u8 *)ip + sizeof(*ip) + ntohs(ip->length) - bytes, bytes);
			at += bytes;
		}
		p = partial6_take(partial);
		pkt_free(p);
	}
	free(partial);
	if (whole)
		SELF(finish)(whole, total);
}

static struct partial6 *SELF(oldest)(void)
{
	return (struct partial6 *)SELF(all)->oldest;
}

static void SELF(wake)(void)
{
	if (SELF(oldest)())
		timer_at(SELF(oldest)()->began + REASSEMBLY_PATIENCE);
}

TIMER()
{
	const __s64 time = now();

	while (SELF(oldest)() && SELF(oldest)()->began + REASSEMBLY_PATIENCE <= time)
		SELF(give_up)(SELF(oldest)(), true);
	SELF(wake)();
}

static int SELF(collect)(struct pkt *p, const struct SELF(fragment) *f)
{
	struct partial6 *partial;

	while (SELF(oldest)() && SELF(all)->memory + piece6_cost(p) > cfg.himem)
		SELF(give_up)(SELF(oldest)(), false);
	partial = partial6_of(SELF(all), f->ip, f->id);
	if (!partial)
		return DROP(NO_MEMORY);
	if (!partial->pieces && private(table)->waiting++ == 0)
		SELF(wake)();
	switch (partial6_add(partial, p, f->from, f->to, f->more)) {
	case PIECE6_KEPT:
		partials_count(SELF(all), &partial->waiting, piece6_cost(p));
		if (partial6_is_whole(partial) && SELF(is_too_long)(partial))
			SELF(give_up)(partial, false);
		else if (partial6_is_whole(partial))
			SELF(whole)(partial);
		return STOLEN;
	case PIECE6_DUPLICATE:
		return DROP(DISCARDED);
	case PIECE6_WRONG:
		SELF(give_up)(partial, false);
		return DROP(MALFORMED);
	default:
		SELF(give_up)(partial, false);
		return DROP(NO_MEMORY);
	}
}

static int SELF(fragment_of)(struct pkt *p, struct ip6_header *ip)
{
	struct SELF(fragment) f = { .ip = ip };

	private(table)->seen++;
	if (!SELF(read)(p, &f)) {
		private(table)->bad++;
		return DROP(MALFORMED);
	}
	/* A packet that consists of one fragment is whole, whatever other fragments have its identification (RFC 6946). */
	if (f.from == 0 && !f.more) {
		SELF(finish)(p, f.to);
		return STOLEN;
	}
	return SELF(collect)(p, &f);
}

CONTROL()
{
	struct partials *from;
	int taken = 0;

	if (op == SELF(WHERE)) {
		*(struct partials **)argument = SELF(all);
		return 0;
	}
	from = *(struct partials **)argument;
	for (const struct partial *each = from->oldest; each; each = each->newer)
		taken += ((const struct partial6 *)each)->pieces;
	private(table)->waiting += partials_take(SELF(all), from);
	SELF(wake)();
	return taken;
}

INIT()
{
	return partials_open(SELF(all), cfg.himem / PIECE6_OVERHEAD) ? 0 : -ENOMEM;
}

CLEANUP()
{
	partials_close(SELF(all), partial6_forget);
}

#endif

MARKED_ELEMENT(IP6Reassembler, struct ip6_header, ip)
{
	if (!ip6_walk(p, ip).fragment)
		return OUTPUT(0);
	return IN_USERSPACE(SELF(fragment_of)(p, ip));
}
