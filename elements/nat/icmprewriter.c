#include "nat/ports.h"

/* The packet that an error is about, as far as it is there. */
struct SELF(about) {
	struct iphdr *ip;
	struct udp_header *ports;	/* of TCP, UDP or DCCP, or NULL */
	__u16 *checksum;		/* theirs, or NULL */
	struct icmp_header *echo;	/* of a ping, or NULL */
};

static bool SELF(has_ports)(__u8 protocol)
{
	return protocol == PROTOCOL_TCP || protocol == PROTOCOL_UDP || protocol == PROTOCOL_DCCP;
}

/* False if there is no IP header. `length` bytes are there. */
static bool SELF(parse)(void *packet, __u32 length, struct SELF(about) *about)
{
	struct iphdr *ip = packet;
	void *transport;
	__u32 header;

	if (length < sizeof(*ip) || ip->version != 4 || ip->ihl < 5)
		return false;
	*about = (struct SELF(about)){.ip = ip};
	header = ip_header_length(ip);
	if (!ip_is_first_fragment(ip) || length < header)
		return true;
	transport = packet + header;
	length -= header;
	if (SELF(has_ports)(ip->protocol) && length >= PORTS_LEAST)
		about->ports = transport;
	if (ip->protocol == PROTOCOL_TCP && length >= TCP_CHECKED)
		about->checksum = &((struct tcp_header *)transport)->checksum;
	if (ip->protocol == PROTOCOL_UDP && length >= sizeof(struct udp_header) && about->ports->checksum)
		about->checksum = &about->ports->checksum;
	if (ip->protocol == PROTOCOL_ICMP && length >= 6 && *(__u8 *)transport == ICMP_ECHO)
		about->echo = transport;
	return true;
}

/* Addresses and ports of a packet that would answer the one that the error is about. */
static struct nat_key SELF(answer)(const struct SELF(about) *about)
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

/* Change a word, and what its change adds to checksums. */
static void SELF(set16)(__u16 *at, __u16 value, __u64 *sum)
{
	*sum += (__u16)~*at + value;
	*at = value;
}

static void SELF(set32)(void *at, __be32 value, __u64 *sum)
{
	*sum += (__u64)(__u32)~word32(at) + value;
	word32(at) = value;
}

/* Make the packet in the error the one from before the rewriter; returns what that adds to the error's checksum. */
static __u64 SELF(restore)(struct SELF(about) *about, const struct nat_target *answer)
{
	__u64 addresses = 0, rest = 0, ports = 0;

	SELF(set32)(&about->ip->saddr, answer->daddr, &addresses);
	SELF(set32)(&about->ip->daddr, answer->saddr, &addresses);
	SELF(set16)(&about->ip->check, nat_sum(about->ip->check, checksum_fold(addresses)), &rest);
	if (about->ports) {
		SELF(set16)(&about->ports->source, answer->dport, &ports);
		SELF(set16)(&about->ports->destination, answer->sport, &ports);
		if (about->checksum)
			SELF(set16)(about->checksum, nat_sum(*about->checksum, checksum_fold(addresses + ports)), &rest);
	} else if (about->echo) {
		SELF(set16)(&about->echo->identifier, answer->dport, &ports);
		SELF(set16)(&about->echo->checksum, nat_sum(about->echo->checksum, checksum_fold(ports)), &rest);
	}
	return addresses + ports + rest;
}

static int SELF(rewrite)(struct pkt *p, struct iphdr *ip, struct icmp_header *icmp, struct SELF(about) *about)
{
	const struct nat_key answer = SELF(answer)(about);
	struct nat_target target;
	__u32 map, found = 0;
	__u64 outer = 0;

	for (map = 0; map < cfg.maps; map++) {
		found = nat_entry(SELF(maps)[map].rewriter, about->ip->protocol, true, &answer, -1);
		if (found)
			break;
	}
	if (!found)
		return cfg.others;
	target = nat_entry_target(SELF(maps)[map].rewriter, found, &answer);
	if (ip->daddr == answer.daddr) {
		SELF(set32)(&ip->daddr, target.daddr, &outer);
		ip->check = nat_sum(ip->check, checksum_fold(outer));
		if (cfg.dst_anno)
			pkt_set_dst_ip(p, target.daddr);
	}
	if (target.direction && cfg.reply_anno >= 0)
		pkt_set_anno_u8(p, cfg.reply_anno, target.reply_anno);
	icmp->checksum = nat_sum(icmp->checksum, checksum_fold(SELF(restore)(about, &target)));
	return SELF(maps)[map].offset < 0 ? 0 : SELF(maps)[map].offset + target.output;
}

ELEMENT(ICMPRewriter)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct icmp_header *icmp = pkt_transport_header(p, sizeof(*icmp));
	struct SELF(about) about;
	int output = cfg.others;

	if (!ip || ip->protocol != PROTOCOL_ICMP)
		return DROP(FILTERED);
	if (icmp && icmp_is_error(icmp->type) && SELF(parse)(icmp + 1, transport_length(p) - sizeof(*icmp), &about))
		output = SELF(rewrite)(p, ip, icmp, &about);
	return output < 0 ? DROP(FILTERED) : OUTPUT(output);
}
