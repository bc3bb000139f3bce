/* Is what begins cfg.offset bytes into the packet an IP header, as CheckIPHeader has it? No include guard: the text is compiled
 * for each instance, with its cfg.checksum and the tests of addresses that source_tests() in _sources.py makes.
 */
#include "ip/ip.h"

/* Options are summed word by word, each at a constant offset: the verifier has to see the bounds of every access. */
static __always_inline bool SELF(checksum_right)(struct pkt *p, const struct iphdr *ip, __u32 header)
{
	__u64 sum = ip_sum20(ip);

	if (unlikely(header > sizeof(*ip))) {
#pragma clang loop unroll(full)
		for (__u32 at = sizeof(*ip); at < IP_HEADER_MAX; at += 4) {
			const void *word;

			if (at >= header)
				break;
			word = pkt_data(p, cfg.offset + at, 4);
			if (!word)
				return false;
			sum += word32(word);
		}
	}
	return checksum_is_right(sum);
}

/* Take Ethernet's padding off the frame now, behind a packet that nobody sees if it is bad: then it is like most. */
static __always_inline bool SELF(unpad)(struct pkt *p, __u32 length, __u32 padding)
{
	if (SELF(noutputs) != 1 || padding > PADDING_MOST || length < sizeof(struct iphdr))
		return false;
	return pkt_cut_frame(p, padding) && pkt_data(p, cfg.offset, sizeof(struct iphdr));
}

/* Is this packet like most: IPv4 without options, exactly as long as its header says? Its first four bytes show that, except the
 * second (type of service); packets of 64 KiB or more never are.
 */
static __always_inline bool SELF(plain)(struct pkt *p)
{
	const void *ip = pkt_data(p, cfg.offset, sizeof(struct iphdr));
	__u32 begins, expected;

	if (!ip || pkt_is_trimmed(p))
		return false;
	begins = ntohl(word32(ip)) & 0xff00ffff;
	expected = (IP_PLAIN << 24) + (pkt_len(p) - cfg.offset);
	return likely(begins == expected) || SELF(unpad)(p, begins & 0xffff, expected - begins);
}

/* `room` bytes of the packet begin with `ip`. */
static __always_inline int SELF(mistake)(struct pkt *p, const struct iphdr *ip, __u32 room)
{
	__u32 header = pkt_is_plain(p) ? sizeof(*ip) : ip_header_length(ip);

	if (!pkt_is_plain(p)) {
		if (ip->version != 4)
			return SELF(VERSION);
		if (header < sizeof(*ip))
			return SELF(HEADER_LENGTH);
		if (ntohs(ip->tot_len) > room || ntohs(ip->tot_len) < header)
			return SELF(LENGTH);
	}
	if (cfg.checksum && !SELF(checksum_right)(p, ip, header))
		return SELF(CHECKSUM);
	if (SELF(bad_source)(ip->saddr) && !SELF(good_destination)(ip->daddr))
		return SELF(SOURCE);
	return SELF(NOTHING);
}

/* The mistake in the packet; `*found` becomes its header, if there is room for one. */
static __always_inline int SELF(examine)(struct pkt *p, struct iphdr **found)
{
	struct iphdr *ip = pkt_data(p, cfg.offset, sizeof(*ip));

	*found = ip;
	return ip ? SELF(mistake)(p, ip, pkt_len(p) - cfg.offset) : SELF(TINY);
}

/* Set annotations and length of a packet with a good header. */
static __always_inline void SELF(accept)(struct pkt *p, const struct iphdr *ip)
{
	pkt_set_network_header(p, cfg.offset);
	pkt_note_ip(p, 4, pkt_is_plain(p));
	if (pkt_is_plain(p)) {
		/* As long as nobody writes there. */
		__builtin_assume(*(const __u8 *)ip == IP_PLAIN);
		pkt_mark_plain(p, sizeof(*ip));
	} else {
		pkt_set_transport_header(p, cfg.offset + ip_header_length(ip));
		pkt_cut(p, pkt_len(p) - cfg.offset - ntohs(ip->tot_len));
		pkt_assure(p, cfg.offset + sizeof(*ip));
	}
	pkt_set_dst_ip(p, ip->daddr);
}

/* The drop reason for a mistake. */
static __always_inline int SELF(drop)(int mistake)
{
	return mistake == SELF(CHECKSUM) ? DROP(BAD_CHECKSUM) : mistake == SELF(SOURCE) ? DROP(FILTERED) : DROP(MALFORMED);
}
