#include "common/headerreject.inc.h"
#include "ip/sum.h"
#include "tunnel/gre.h"

/* Other CPUs are updating the sequence number: let the runtime decide. */
enum { SELF(UNDECIDED) = SELF(NOTHING) + 1 };

/* The kernel path's attempts to update the sequence number in competition with other CPUs. */
#define SEQUENCE_TRIES 4

static __always_inline bool SELF(checksum_right)(struct pkt *p)
{
	__u64 sum = 0;

	return sum_bytes(p, cfg.offset, pkt_len(p) - cfg.offset, &sum) && checksum_is_right(sum);
}

/* Read the word `at` bytes into the header, in host order; false if the packet ends before. */
static __always_inline bool SELF(word)(struct pkt *p, __u32 at, __u32 *value)
{
	const void *word = pkt_data(p, cfg.offset + at, sizeof(*value));

	if (word)
		*value = ntohl(word32(word));
	return word;
}

/* Advance the last sequence number, if the new one is greater. */
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

/* The packet's error. The sequence number is checked last, as only a good packet may advance it. */
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
