/* Sources of similar packets, sent at a rate or as fast as they are pulled (FastUDPSource, FastUDPSourceIP6, FastUDPFlows,
 * FastTCPFlows). The states are `fast` and `bucket` (_fast.py). Included once for each instance.
 *
 * The including file defines the next packet:
 *
 *	bool SELF(goes_on)(const struct SELF(fast) *fast)			whether there is a next packet
 *	void SELF(choose)(struct SELF(fast) *fast, struct words *words)		what is different in it
 *	int SELF(prepare)(void)							for INIT
 */
#include "ip/transport.h"
#include "ip6/ip6.h"
#include "common/bucket.h"

#ifndef CLICKBPF_FAST_WORDS
#define CLICKBPF_FAST_WORDS
/* The fields that differ between packets: the first words of the transport header, zero in the template, and TCP flags. */
struct words {
	__be16 source, destination;
	__be32 sequence, acknowledgement;
	__u8 flags;
};
#endif

static void SELF(choose)(struct SELF(fast) *fast, struct words *words);
static bool SELF(goes_on)(const struct SELF(fast) *fast);
static int SELF(prepare)(void);

#define HEADERS (sizeof(struct ethhdr) + (cfg.ip6 ? sizeof(struct ip6_header) : sizeof(struct iphdr)))

static void SELF(write_udp)(struct SELF(fast) *fast, struct udp_header *udp, const struct words *words)
{
	__u16 sum;

	udp->source = words->source;
	udp->destination = words->destination;
	udp->length = htons(fast->length - HEADERS);
	if (!cfg.checksum)
		return;
	sum = ~checksum_fold((__u64)fast->sum + words->source + words->destination);
	udp->checksum = sum ?: 0xffff;
}

static void SELF(write_tcp)(struct SELF(fast) *fast, struct tcp_header *tcp, const struct words *words)
{
	tcp->source = words->source;
	tcp->destination = words->destination;
	tcp->sequence = words->sequence;
	tcp->acknowledgement = words->acknowledgement;
	tcp->offset = sizeof(*tcp) / 4 << 4;
	tcp->flags = words->flags;
	tcp->window = 0xffff;
	tcp->checksum = ~checksum_fold((__u64)fast->sum + words->source + words->destination + words->sequence +
				       words->acknowledgement + word16(&tcp->offset) + tcp->window);
}

static struct pkt *SELF(make)(struct SELF(fast) *fast, const struct words *words)
{
	struct pkt *p = pkt_new(PKT_HEADROOM, fast->length);
	void *ip;

	if (!p)
		return NULL;
	memcpy(p->data, fast->headers, HEADERS);
	memset(p->data + HEADERS, 0, fast->length - HEADERS);
	if (cfg.tcp)
		SELF(write_tcp)(fast, (struct tcp_header *)(p->data + HEADERS), words);
	else
		SELF(write_udp)(fast, (struct udp_header *)(p->data + HEADERS), words);
	ip = p->data + sizeof(struct ethhdr);
	pkt_set_network_header(p, sizeof(struct ethhdr));
	pkt_set_transport_header(p, HEADERS);
	if (cfg.ip6)
		pkt_set_dst_ip6(p, ((struct ip6_header *)ip)->destination);
	else
		pkt_set_dst_ip(p, ((struct iphdr *)ip)->daddr);
	return p;
}

/* Whether LIMIT packets have been sent. */
static inline bool SELF(is_over)(const struct SELF(fast) *fast)
{
	return fast->limit >= 0 && fast->count >= (__u64)fast->limit;
}

static void SELF(counted)(struct SELF(fast) *fast)
{
	if (++fast->count == 1)
		fast->began = now();
	if (!SELF(is_over)(fast))
		return;
	fast->ended = now();
	if (cfg.stop)
		driver_stop();
}

/* Whether it is time for a packet; if not, TIMER runs when it is. */
static bool SELF(is_due)(struct SELF(bucket) *bucket)
{
	if (!bucket->per_tick || bucket_take(BUCKET(bucket), 1, 1))
		return true;
	timer_at(bucket_due(BUCKET(bucket), 1));
	return false;
}

/* The next packet, if it is time for one. */
static struct pkt *SELF(next)(void)
{
	struct SELF(fast) *fast = private(fast);
	struct words words = {0};
	struct pkt *p;

	if (!fast->active || !SELF(goes_on)(fast) || !SELF(is_due)(private(bucket)))
		return NULL;
	SELF(choose)(fast, &words);
	p = SELF(make)(fast, &words);
	if (p)
		SELF(counted)(fast);
	return p;
}

#include "sources/single.inc.h"

INIT()
{
	SELF(go)();
	return SELF(prepare)();
}

/* Continue after a handler has changed `limit`, `active` or the count. */
CONTROL()
{
	SELF(go)();
	return 0;
}
