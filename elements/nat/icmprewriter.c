#include "nat/ports.h"

/* Bytes of an echo request up to its identifier's end. */
#define ECHO_LEAST 6

/* The packet quoted in an error, as far as it is there. */
struct SELF(about) {
	struct iphdr *ip;
	struct udp_header *ports;	/* of TCP, UDP or DCCP, or NULL */
	struct tcp_header *tcp;		/* if its checksum is there, or NULL */
	struct icmp_header *echo;	/* of a ping, or NULL */
};

static __always_inline bool SELF(has_ports)(__u8 protocol)
{
	return protocol == PROTOCOL_TCP || protocol == PROTOCOL_UDP || protocol == PROTOCOL_DCCP;
}

/* False if there is no IP header. */
static __always_inline bool SELF(parse)(struct pkt *p, struct SELF(about) *about)
{
	struct iphdr *ip = pkt_transport_data(p, sizeof(struct icmp_header), sizeof(*ip));
	__u32 at;

	if (!ip || ip->version != 4 || ip->ihl < 5)
		return false;
	*about = (struct SELF(about)){.ip = ip};
	if (!ip_is_first_fragment(ip))
		return true;
	at = sizeof(struct icmp_header) + ip_header_length(ip);
	if (SELF(has_ports)(ip->protocol))
		about->ports = pkt_transport_data(p, at, PORTS_LEAST);
	if (ip->protocol == PROTOCOL_TCP)
		about->tcp = pkt_transport_data(p, at, TCP_CHECKED);
	if (ip->protocol == PROTOCOL_ICMP)
		about->echo = pkt_transport_data(p, at, ECHO_LEAST);
	if (about->echo && about->echo->type != ICMP_ECHO)
		about->echo = NULL;
	/* As in nat_parse_transport(). */
	asm volatile("" : "+r"(about->ports), "+r"(about->tcp), "+r"(about->echo));
	return true;
}

/* The key of a reply to the quoted packet. */
static __always_inline struct nat_key SELF(answer)(const struct SELF(about) *about)
{
	struct nat_key key = {.saddr = about->ip->daddr, .daddr = about->ip->saddr};

	if (about->ports) {
		key.sport = about->ports->destination;
		key.dport = about->ports->source;
	} else if (about->echo) {
		key.sport = about->echo->identifier;
	}
	return key;
}

/* Set a word, and add its change to a checksum's sum. */
static __always_inline void SELF(set16)(__u16 *at, __u16 value, __u64 *sum)
{
	*sum += (__u16)~*at + value;
	*at = value;
}

static __always_inline void SELF(set32)(void *at, __be32 value, __u64 *sum)
{
	*sum += (__u64)(__u32)~word32(at) + value;
	word32(at) = value;
}

/* Restore the quoted packet to its form before the rewriter; returns the change of the error's checksum. */
static __always_inline __u64 SELF(restore)(const struct SELF(about) *about, const struct nat_target *answer)
{
	__u64 addresses = 0, rest = 0, ports = 0;
	__u16 delta;

	SELF(set32)(&about->ip->saddr, answer->daddr, &addresses);
	SELF(set32)(&about->ip->daddr, answer->saddr, &addresses);
	SELF(set16)(&about->ip->check, nat_sum(about->ip->check, checksum_fold(addresses)), &rest);
	if (about->ports) {
		SELF(set16)(&about->ports->source, answer->dport, &ports);
		SELF(set16)(&about->ports->destination, answer->sport, &ports);
		delta = checksum_fold(addresses + ports);
		if (about->tcp)
			SELF(set16)(&about->tcp->checksum, nat_sum(about->tcp->checksum, delta), &rest);
		else if (about->ip->protocol == PROTOCOL_UDP && about->ports->checksum)
			SELF(set16)(&about->ports->checksum, nat_sum(about->ports->checksum, delta), &rest);
	} else if (about->echo) {
		SELF(set16)(&about->echo->identifier, answer->dport, &ports);
		SELF(set16)(&about->echo->checksum, nat_sum(about->echo->checksum, checksum_fold(ports)), &rest);
	}
	return addresses + ports + rest;
}

/* The result for errors about unknown flows, and for other packets. */
static __always_inline int SELF(pass)(void)
{
	return cfg.others < 0 ? DROP(FILTERED) : OUTPUT(cfg.others);
}

static __always_inline int SELF(rewrite)(struct pkt *p, struct iphdr *ip, struct icmp_header *icmp, const struct SELF(about) *about)
{
	const struct nat_key answer = SELF(answer)(about);
	struct nat_target target = {};
	enum nat_found found;
	__u64 outer = 0;
	int offset;

	found = SELF(find)(about->ip->protocol, &answer, &target, &offset);
	if (!USERSPACE && found == NAT_UNSURE)
		return PUNT;
	if (found != NAT_HIT)
		return SELF(pass)();
	if (ip->daddr == answer.daddr) {
		SELF(set32)(&ip->daddr, target.daddr, &outer);
		ip->check = nat_sum(ip->check, checksum_fold(outer));
		if (cfg.dst_anno)
			pkt_set_dst_ip(p, target.daddr);
	}
	if (target.direction && cfg.reply_anno >= 0)
		pkt_set_anno_u8(p, cfg.reply_anno, target.reply_anno);
	icmp->checksum = nat_sum(icmp->checksum, checksum_fold(SELF(restore)(about, &target)));
	return OUTPUT(offset < 0 ? 0 : offset + target.output);
}

ELEMENT(ICMPRewriter)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct icmp_header *icmp = pkt_transport_header(p, sizeof(*icmp));
	struct SELF(about) about;

	if (!ip || ip->protocol != PROTOCOL_ICMP)
		return DROP(FILTERED);
	if (!icmp || !icmp_is_error(icmp->type) || !SELF(parse)(p, &about))
		return SELF(pass)();
	return SELF(rewrite)(p, ip, icmp, &about);
}
