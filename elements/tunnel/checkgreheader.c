#include "common/headerreject.inc.h"
#include "ip/sum.h"
#include "tunnel/gre.h"

/* Another CPU notes a sequence number at the same time: the runtime decides. */
enum { SELF(UNDECIDED) = SELF(NOTHING) + 1 };

/* How often the kernel path tries to note a sequence number that other CPUs change, too. */
#define SEQUENCE_TRIES 4

static __always_inline bool SELF(checksum_right)(struct pkt *p)
{
	__u64 sum = 0;

	return sum_bytes(p, cfg.offset, pkt_len(p) - cfg.offset, &sum) && checksum_is_right(sum);
}

/* The header's word `at` bytes from its start, in host order; false if it isn't there. */
static __always_inline bool SELF(word)(struct pkt *p, __u32 at, __u32 *value)
{
	const void *word = pkt_data(p, cfg.offset + at, sizeof(*value));

	if (word)
		*value = ntohl(word32(word));
	return word;
}

/* Notes a number that is greater than the last one. */
static __always_inline int SELF(follow)(__u32 number)
{
	struct SELF(vars) *vars = var(vars);

	for (int i = 0; USERSPACE || i < SEQUENCE_TRIES; i++) {
		const __u32 last = read_once(vars->last);

		if ((__s32)(number - last) <= 0)
			return SELF(SEQUENCE);
		if (__sync_val_compare_and_swap(&vars->last, last, number) == last)
			return SELF(NOTHING);
	}
	return SELF(UNDECIDED);
}

/* What is wrong with the packet; the sequence number comes last, since that of a good packet is noted. */
static __always_inline int SELF(mistake)(struct pkt *p, __u16 flags)
{
	__u32 word;

	if (flags & GRE_VERSION)
		return SELF(VERSION);
	if (flags & GRE_REFUSED || pkt_len(p) - cfg.offset < gre_length(flags))
		return SELF(LENGTH);
	if (cfg.checksum && (!(flags & GRE_CHECKSUM) || !SELF(checksum_right)(p)))
		return SELF(CHECKSUM);
	if (cfg.has_key && (!(flags & GRE_KEY) || !SELF(word)(p, gre_key_offset(flags), &word) || word != cfg.key))
		return SELF(KEY);
	if (!cfg.sequence)
		return SELF(NOTHING);
	if (!(flags & GRE_SEQUENCE) || !SELF(word)(p, gre_sequence_offset(flags), &word))
		return SELF(SEQUENCE);
	return SELF(follow)(word);
}

ELEMENT(CheckGREHeader)
{
	const struct gre_header *gre = pkt_data(p, cfg.offset, sizeof(*gre));
	int mistake;
	__u16 flags;

	if (!gre)
		return SELF(reject)(p, SELF(TINY), DROP(MALFORMED));
	flags = ntohs(gre->flags);
	if (!USERSPACE && cfg.checksum && pkt_len(p) - cfg.offset > SUM_MOST)
		return PUNT;
	mistake = SELF(mistake)(p, flags);
	if (!USERSPACE && mistake == SELF(UNDECIDED))
		return PUNT;
	if (mistake == SELF(CHECKSUM))
		return SELF(reject)(p, mistake, DROP(BAD_CHECKSUM));
	if (mistake != SELF(NOTHING))
		return SELF(reject)(p, mistake, mistake < SELF(KEY) ? DROP(MALFORMED) : DROP(FILTERED));
	if (cfg.strip)
		pkt_pull(p, cfg.offset + gre_length(flags));
	return OUTPUT(0);
}
