/* Sets the checksum, cfg.at bytes into a message of protocol cfg.protocol. */
#include "ip6/checksum.h"

static __always_inline int SELF(refuse)(void)
{
	warn(ALWAYS, "%s: bad lengths", SELF(name));
	return DROP(MALFORMED);
}

ELEMENT(SetChecksum)
{
	const struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	struct ip6_inner inner;
	__u8 *message;
	int length;
	__u64 sum;

	if (!ip)
		return SELF(refuse)();
	inner = ip6_walk(p, ip);
	length = ip6_inner_length(ip, &inner);
	message = ip6_inner_header(p, &inner, cfg.protocol, cfg.least);
	if (!message || inner.fragment || length < (int)cfg.least || length > (int)pkt_len(p) - pkt_network_offset(p) - inner.offset)
		return SELF(refuse)();
	if (!USERSPACE && length > (int)SUM_MOST)
		return PUNT;
	if (!ip6_transport_sum(p, ip, &inner, length, &sum))
		return SELF(refuse)();
	/* The sum includes the old checksum: subtracting it saves overwriting it first. */
	sum += (__u16)~word16(message + cfg.at);
	sum = (__u16)~checksum_fold(sum);
	word16(message + cfg.at) = cfg.protocol == PROTOCOL_UDP && !sum ? 0xffff : sum;
	return OUTPUT(0);
}
