#include "ip/headersum.inc.h"
#include "tcpudp/rfc2507.h"

/* The context with a number, or NULL. */
static struct rfc2507_headers *SELF(context)(__u32 number)
{
	return number && number < SELF(CONTEXTS) ? (struct rfc2507_headers *)private(contexts)->headers + number : NULL;
}

/* Reads the increments of a compressed packet; `at` becomes NULL if the packet is truncated. */
struct SELF(reader) {
	const __u8 *at, *end;
	__u8 flags;
};

static __u32 SELF(grown)(struct SELF(reader) *r, __u8 flag)
{
	__u32 length, by;

	if (!r->at || !(r->flags & flag))
		return 0;
	length = r->at < r->end && *r->at ? 1 : 3;
	if (r->end - r->at < length) {
		r->at = NULL;
		return 0;
	}
	by = length == 1 ? r->at[0] : r->at[1] << 8 | r->at[2];
	r->at += length;
	return by;
}

/* Compute the packet's headers from the previous packet's; false if the packet is truncated or too long. */
static bool SELF(restore)(struct SELF(reader) *r, struct rfc2507_headers *h, const __u8 *check, __u32 length)
{
	const __u8 *begin = r->at;

	memcpy(&h->tcp.check, check, sizeof(h->tcp.check));
	h->tcp.psh = !!(r->flags & RFC2507_PUSH);
	h->tcp.urg = !!(r->flags & RFC2507_URGENT);
	h->tcp.urg_ptr = htons(ntohs(h->tcp.urg_ptr) + SELF(grown)(r, RFC2507_URGENT));
	h->tcp.window = htons(ntohs(h->tcp.window) + SELF(grown)(r, RFC2507_WINDOW));
	h->tcp.ack_seq = htonl(ntohl(h->tcp.ack_seq) + SELF(grown)(r, RFC2507_ACK));
	h->tcp.seq = htonl(ntohl(h->tcp.seq) + SELF(grown)(r, RFC2507_SEQ));
	h->ip.id = htons(ntohs(h->ip.id) + (r->flags & RFC2507_ID ? SELF(grown)(r, RFC2507_ID) : 1));
	if (!r->at)
		return false;
	length += sizeof(*h) - (r->at - begin);
	h->ip.tot_len = htons(length);
	return length <= 0xFFFF;
}

static int SELF(decompress)(struct pkt *p)
{
	const __u8 *data = pkt_data(p, 0, pkt_len(p));
	struct rfc2507_headers *context = pkt_len(p) >= RFC2507_BEFORE ? SELF(context)(data[1]) : NULL, h;
	struct SELF(reader) r;

	if (!context || !context->ip.version)
		return DROP(MALFORMED);
	r = (struct SELF(reader)){ data + RFC2507_BEFORE, data + pkt_len(p), data[2] };
	h = *context;
	if (!SELF(restore)(&r, &h, data + 3, pkt_len(p) - RFC2507_BEFORE))
		return DROP(MALFORMED);
	if (!pkt_pull(p, r.at - data) || !pkt_push(p, sizeof(h)))
		return DROP(NO_HEADROOM);
	memcpy(pkt_data(p, 0, sizeof(h)), &h, sizeof(h));
	pkt_set_network_header(p, 0);
	if (!SELF(set_header_sum)(p))
		return DROP(MALFORMED);
	memcpy(context, pkt_data(p, 0, sizeof(h)), sizeof(h));
	return OUTPUT(0);
}

ELEMENT(RFC2507Decomp)
{
	const __u8 *data = pkt_data(p, 0, 1);
	struct rfc2507_headers *context;

	if (!data)
		return DROP(MALFORMED);
	switch (*data) {
	case RFC2507_OTHER:
		pkt_pull(p, 1);
		return OUTPUT(0);
	case RFC2507_FULL:
		data = pkt_data(p, 0, 2 + sizeof(*context));
		context = data ? SELF(context)(data[1]) : NULL;
		if (!context)
			return DROP(MALFORMED);
		memcpy(context, data + 2, sizeof(*context));
		pkt_pull(p, 2);
		return OUTPUT(0);
	case RFC2507_COMPRESSED:
		return SELF(decompress)(p);
	default:
		return DROP(MALFORMED);
	}
}
