#include "ip/sum.h"
#include "tunnel/gre.h"

#define FLAGS \
	((cfg.checksum ? GRE_CHECKSUM : 0) | (cfg.has_key ? GRE_KEY : 0) | (cfg.sequence ? GRE_SEQUENCE : 0))

/* Write the header, with a checksum field of 0. */
static __always_inline void SELF(write)(__u8 *to, __u32 number)
{
	struct gre_header *gre = (void *)to;

	gre->flags = htons(FLAGS);
	gre->protocol = htons(cfg.protocol);
	if (cfg.checksum)
		word32(to + sizeof(*gre)) = 0;
	if (cfg.has_key)
		word32(to + gre_key_offset(FLAGS)) = htonl(cfg.key);
	if (cfg.sequence)
		word32(to + gre_sequence_offset(FLAGS)) = htonl(number);
}

ELEMENT(GREEncap)
{
	const __u32 length = gre_length(FLAGS);
	__u64 sum = 0;
	__u8 *header;

	if (!USERSPACE && cfg.checksum && pkt_len(p) > SUM_MOST - length)
		return PUNT;
	header = pkt_prepend(p, length);
	if (!header)
		return PUNT;
	SELF(write)(header, cfg.sequence ? __sync_fetch_and_add(&var(vars)->sequence, 1) : 0);
	if (!cfg.checksum)
		return OUTPUT(0);
	if (!sum_bytes(p, 0, pkt_len(p), &sum))
		return DROP(MALFORMED);
	word16(header + sizeof(struct gre_header)) = ~checksum_fold(sum);
	return OUTPUT(0);
}
