/* ICMP echo requests and replies: an identifier in place of ports (RFC 792). */
#pragma once

#include "nat/ports.h"

/* Bytes up to the identifier's end. */
#define PING_LEAST 6

/* Requests and replies with one identifier get different ports: (identifier, next) and (next, identifier). */
static __always_inline __be16 nat_pair(__be16 identifier)
{
	return htons(ntohs(identifier) + 1);
}

static __always_inline struct nat_key nat_ping_key(__be32 saddr, __be32 daddr, __be16 identifier, bool reply)
{
	const __be16 next = nat_pair(identifier);

	return (struct nat_key){.saddr = saddr, .daddr = daddr, .sport = reply ? next : identifier,
				.dport = reply ? identifier : next};
}

static __always_inline bool nat_parse_ping(struct pkt *p, struct nat_packet *n)
{
	struct icmp_header *icmp;

	if (n->ip->protocol != PROTOCOL_ICMP || !ip_is_first_fragment(n->ip))
		return false;
	n->icmp = icmp = pkt_transport_header(p, PING_LEAST);
	if (!icmp || (icmp->type != ICMP_ECHO && icmp->type != ICMP_ECHO_REPLY))
		return false;
	n->length = transport_length(p);
	n->answers = icmp->type == ICMP_ECHO_REPLY;
	n->key = nat_ping_key(n->ip->saddr, n->ip->daddr, icmp->identifier, n->answers);
	return true;
}

/* An ICMP checksum covers no addresses, so everything that it covers may be zero, as in a reply without data; the checksum is then
 * 0xffff. An incremental update can't tell that from 0 (RFC 1624, 3), and the bytes must be summed, which the kernel path leaves to
 * the runtime.
 */
static __always_inline bool nat_ping_is_ambiguous(const struct nat_packet *n, const struct nat_target *target)
{
	return !nat_sum(n->icmp->checksum, target->transport_delta);
}

#if USERSPACE
static inline __u16 nat_ping_checksum(const struct nat_packet *n)
{
	const __u16 *word = (const __u16 *)n->icmp;

	for (__u32 i = 0; i < n->length / 2; i++)
		if (word[i] && i != offsetof(struct icmp_header, checksum) / 2)
			return 0;
	return n->length & 1 && ((const __u8 *)word)[n->length - 1] ? 0 : 0xffff;
}
#endif

static __always_inline __be16 nat_ping_identifier(const struct nat_target *target)
{
	return target->direction ? target->dport : target->sport;
}

static __always_inline void nat_apply_ping(struct pkt *p, struct nat_packet *n, const struct nat_target *target)
{
	n->icmp->identifier = nat_ping_identifier(target);
	n->icmp->checksum = nat_sum(n->icmp->checksum, target->transport_delta);
#if USERSPACE
	if (!n->icmp->checksum)
		n->icmp->checksum = nat_ping_checksum(n);
#endif
}
