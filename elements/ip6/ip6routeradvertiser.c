/* IP6RouterAdvertiser: advertises an IPv6 router to the hosts of a link, with the prefixes that they make their addresses from. */
#include "ip6/nd.h"
#include "common/clock.h"

/* Milliseconds and counts (RFC 4861, 10). */
#define ADVERTISE_INITIAL 16000		/* between the first ones */
#define ADVERTISE_INITIALS 3
#define ADVERTISE_APART 3000		/* between any two to all nodes */
#define ADVERTISE_DELAY 500		/* before an answer */
#define ADVERTISE_LIFETIME 6		/* the Router Lifetime's place in the message */

struct SELF(frame) {
	struct ethhdr ether;
	struct ip6_header ip;
	__u8 message[sizeof(SELF(message))];
} __attribute__((packed, aligned(2)));

/* A random time between two numbers of milliseconds, in nanoseconds. */
static __s64 SELF(between)(__u32 least, __u32 most)
{
	return (least + ((__u64)random_u32() * (most - least + 1) >> 32)) * NS_PER_MS;
}

static void SELF(send_at)(__s64 when)
{
	private(vars)->due = when;
	timer_at(when);
}

/* Sends one advertisement to all nodes. `ends` announces that it stops being a router. */
static void SELF(send)(bool ends)
{
	static const __u8 all_nodes[16] = { 0xff, 2, [15] = 1 };
	struct pkt *p = pkt_new(PKT_HEADROOM, sizeof(struct SELF(frame)));
	struct SELF(frame) *frame;

	private(vars)->last = now();
	if (!p)
		return;
	frame = pkt_data(p, 0, sizeof(*frame));
	nd_group_ether(frame->ether.h_dest, all_nodes);
	ether_copy(frame->ether.h_source, cfg.eth);
	frame->ether.h_proto = htons(ETH_P_IPV6);
	frame->ip = (struct ip6_header){ .first = htonl(6u << 28), .length = htons(sizeof(frame->message)), .next = IP6_ICMP,
					 .hops = ND_HOPS };
	ip6_copy(frame->ip.source, cfg.ip);
	ip6_copy(frame->ip.destination, all_nodes);
	memcpy(frame->message, SELF(message), sizeof(frame->message));
	if (ends)
		word16(frame->message + ADVERTISE_LIFETIME) = 0;
	word16(frame->message + 2) = nd_checksum(&frame->ip, frame->message, sizeof(frame->message));
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, ETH_HLEN);
	pkt_set_transport_header(p, ND_FRONT);
	count(counters, count, 1);
	emit(p, 0);
}

/* RFC 4861, 6.2.4 and 6.2.5. */
TIMER()
{
	struct SELF(vars) *vars = private(vars);
	__s64 wait = SELF(between)(cfg.shortest, cfg.longest);

	vars->due = 0;
	SELF(send)(!vars->active);
	if (!vars->active)
		return;
	if (vars->sent < ADVERTISE_INITIALS) {
		vars->sent++;
		if (wait > ADVERTISE_INITIAL * NS_PER_MS)
			wait = ADVERTISE_INITIAL * NS_PER_MS;
	}
	SELF(send_at)(now() + wait);
}

/* Sends one soon, but not too soon after the last (RFC 4861, 6.2.6). */
static void SELF(send_soon)(void)
{
	struct SELF(vars) *vars = private(vars);
	__s64 earliest = vars->last ? vars->last + ADVERTISE_APART * NS_PER_MS : 0;
	__s64 when = (earliest > (__s64)now() ? earliest : (__s64)now()) + SELF(between)(0, ADVERTISE_DELAY);

	if (!vars->due || when < vars->due)
		SELF(send_at)(when);
}

/* RFC 4861, 6.1.1; a solicitation from no address has no Ethernet address. */
static bool SELF(is_good)(struct pkt *p)
{
	const struct nd_frame *frame = nd_received(p, ICMP6_ROUTER_SOLICITATION, ND_LEAST_ROUTER_SOLICITATION);

	return frame && (!ip6_is_zero(frame->ip.source) ||
			 !nd_link_at(frame, &frame->type + ND_LEAST_ROUTER_SOLICITATION, ND_SOURCE_LINK));
}

ELEMENT(IP6RouterAdvertiser)
{
	if (!SELF(is_good)(p))
		return DROP(MALFORMED);
	if (private(vars)->active)
		SELF(send_soon)();
	pkt_free(p);
	return STOLEN;
}

INIT()
{
	if (private(vars)->active)
		SELF(send_soon)();
	return 0;
}

/* Python has changed the state: start anew. */
CONTROL()
{
	(void)op, (void)argument;
	timer_clear();
	private(vars)->due = 0;
	SELF(send_soon)();
	return 0;
}
