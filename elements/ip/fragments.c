/* Fragmentation of IP packets (RFC 791, 2.3 and 3.2). */
#include "element.h"
#include "ip/fragments.h"
#include "ip/ip.h"

#include <string.h>

/* The length of the options with the copied flag, padded to a whole word; copies them to `to` unless that is NULL. */
static __u32 copied_options(const struct iphdr *ip, __u8 *to)
{
	const __u8 *option = (const __u8 *)(ip + 1), *end = (const __u8 *)ip + ip_header_length(ip);
	__u32 length, size = 0;

	for (; option < end && *option != IPOPT_END; option += length) {
		length = ip_option_length(option, end);
		if (!length)
			break;
		if (!IPOPT_COPIED(*option))
			continue;
		if (to)
			memcpy(to + size, option, length);
		size += length;
	}
	for (; size % 4; size++)
		if (to)
			to[size] = IPOPT_END;
	return size;
}

/* A packet with `length` bytes of the data of `p`, from `offset` on. `ip` is the header of the first fragment. */
static struct pkt *later_fragment(struct pkt *p, const struct iphdr *ip, __u32 offset, __u32 length, bool more, __u32 headroom)
{
	__u32 header = sizeof(*ip) + copied_options(ip, NULL);
	struct pkt *fragment = pkt_new(headroom, header + length);
	struct iphdr *to;

	if (!fragment)
		return NULL;
	to = (struct iphdr *)fragment->data;
	memcpy(to, ip, sizeof(*ip));
	copied_options(ip, (__u8 *)(to + 1));
	memcpy((__u8 *)to + header, (const __u8 *)ip + ip_header_length(ip) + offset, length);
	to->ihl = header / 4;
	to->frag_off = htons(ntohs(ip->frag_off) + offset / 8);
	if (!more)
		to->frag_off &= ~htons(IP_MF);
	to->tot_len = htons(header + length);
	to->check = 0;
	to->check = checksum(to, header);
	pkt_set_network_header(fragment, 0);
	pkt_set_transport_header(fragment, header);
	pkt_take_annotations(fragment, p);
	return fragment;
}

/* All fragments but the first, linked, except those without memory. At most 8,189, each with 8 of a packet's 65,515 bytes. */
static struct pkt *later_fragments(struct pkt *p, const struct iphdr *ip, int offset, int data, bool more, __u32 mtu, __u32 headroom)
{
	int room = (mtu - sizeof(*ip) - copied_options(ip, NULL)) & ~7;
	struct pkt *first = NULL, **last = &first;

	for (int length; offset < data; offset += length) {
		length = data - offset < room ? data - offset : room;
		*last = later_fragment(p, ip, offset, length, more || offset + length < data, headroom);
		if (*last)
			last = &(*last)->next;
	}
	return first;
}

struct pkt *ip_split(struct pkt *p, struct iphdr *ip, int first, __u32 mtu, __u32 headroom)
{
	const int header = ip_header_length(ip), data = ntohs(ip->tot_len) - header;
	const bool more = ip->frag_off & htons(IP_MF);
	struct pkt *rest;

	/* A sender that sets DF may give every packet the same identification. */
	if (ip->frag_off & htons(IP_DF)) {
		ip->id = random_u32();
		ip->frag_off &= ~htons(IP_DF);
	}
	ip->frag_off |= htons(IP_MF);
	ip->tot_len = htons(header + first);
	ip->check = 0;
	ip->check = checksum(ip, header);
	rest = later_fragments(p, ip, first, data, more, mtu, headroom);
	pkt_trim(p, pkt_network_offset(p) + header + first);
	return rest;
}
