#include "icmp/icmp.h"
#include "ip/transport.h"
#include "siphash.h"

/* SipHash-2-4. */
static __u64 SELF(hash)(__u64 word)
{
	return siphash(private(key)->key, &word, 1, 2, 4);
}

/* Whether the bit after these `length` bits stays unchanged: one of the first CLASS bits, after ones only, or a bit of a network in
 * PRESERVE_8.
 */
static bool SELF(stays)(__u32 prefix, int length)
{
	return (length < cfg.ones && prefix == (1ull << length) - 1) || SELF(leads_to_preserved)(prefix, length);
}

static __be32 SELF(anonymise)(__be32 address)
{
	__u32 from = ntohl(address), flips = 0;

	if (!from || from == ~0u)
		return address;
	for (int length = 0; length < 32; length++) {
		__u32 prefix = (__u64)from >> (32 - length);

		if (!SELF(stays)(prefix, length) && (SELF(hash)((__u64)prefix << 8 | length) & 1))
			flips |= 1u << (31 - length);
	}
	return htonl(from ^ flips);
}

/* Anonymise both addresses, and update a checksum over them. */
static __u16 SELF(replace)(struct iphdr *ip, __u16 check)
{
	__be32 src = SELF(anonymise)(ip->saddr), dst = SELF(anonymise)(ip->daddr);
	const __u32 from[] = {ip->saddr, ip->daddr}, to[] = {src, dst};

	for (int i = 0; i < 2; i++) {
		check = checksum_update(check, from[i], to[i]);
		check = checksum_update(check, from[i] >> 16, to[i] >> 16);
	}
	ip->saddr = src;
	ip->daddr = dst;
	return check;
}

/* Anonymise the header that an ICMP error quotes. The transport checksum in the eight bytes after it stays as sent. */
static void SELF(replace_quoted)(struct pkt *p)
{
	struct iphdr *ip = icmp_quoted(p, 8);
	struct icmp_header *icmp = (struct icmp_header *)ip - 1;

	if (ip)
		icmp->checksum = SELF(replace)(ip, icmp->checksum);
}

ELEMENT(AnonymizeIPAddr)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (!ip || ip->version != 4)
		return OUTPUT(1);
	ip->check = SELF(replace)(ip, ip->check);
	if (ip->protocol == PROTOCOL_ICMP && ip_is_first_fragment(ip))
		SELF(replace_quoted)(p);
	return OUTPUT(0);
}

CONTROL()
{
	*(__be32 *)argument = SELF(anonymise)(*(__be32 *)argument);
	return 0;
}
