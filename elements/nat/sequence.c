/* Differences of TCP sequence numbers: remembering and applying them. */
#include "element.h"
#include "natstructures.h"
#include "nat/sequence.h"

#include <stdlib.h>

/* Sequence numbers further back than this are old. */
#define NAT_FAR (1u << 30)

static void nat_forget_earlier(struct nat_change *change)
{
	while (change->earlier) {
		struct nat_change *gone = change->earlier;

		change->earlier = gone->earlier;
		free(gone);
	}
}

void nat_changes_free(struct nat_changes *changes)
{
	for (int d = 0; changes && d < 2; d++) {
		if (changes->latest[d])
			nat_forget_earlier(changes->latest[d]);
		free(changes->latest[d]);
	}
	free(changes);
}

/* Drop the oldest change: the one before it then holds for all earlier numbers. */
static void nat_forget_oldest(struct nat_change *latest)
{
	for (int i = 1; latest && i < NAT_CHANGES; i++)
		latest = latest->earlier;
	if (!latest || !latest->earlier)
		return;
	latest->always = true;
	nat_forget_earlier(latest);
}

/* Once a stream is far beyond a change, apply it to all numbers, before they wrap around. */
static void nat_changes_age(struct nat_change *change, __u32 sequence)
{
	if (change && !change->always && seq_upto(change->from + NAT_FAR, sequence)) {
		change->always = true;
		nat_forget_earlier(change);
	}
}

/* The difference for an original sequence number (`leaves` false), or for one that includes the difference already, such as a
 * returning acknowledgement.
 */
static __s32 nat_difference(const struct nat_change *change, __u32 number, bool leaves)
{
	while (change && !change->always && seq_before(number - (leaves ? change->by : 0), change->from))
		change = change->earlier;
	return change ? change->by : 0;
}

bool nat_change_sequence(struct nat_changes *changes, int direction, __u32 from, __s32 by)
{
	struct nat_change *latest = changes->latest[direction];

	if (latest && !latest->always && seq_before(from, latest->from))
		return false;
	if (!latest || (latest->always ? latest->by != 0 : from != latest->from)) {
		struct nat_change *change = calloc(1, sizeof(*change));

		if (!change)
			return false;
		change->earlier = latest;
		changes->latest[direction] = latest = change;
	}
	latest->from = from;
	latest->always = false;
	latest->by = (latest->earlier ? latest->earlier->by : 0) + by;
	nat_forget_oldest(latest);
	for (struct nat_change *old = latest->earlier; old; old = old->earlier)
		nat_changes_age(old, from);
	return true;
}

/* Set a 32-bit word of a segment, at any alignment, and update the checksum. */
static void nat_word_change(struct tcp_header *tcp, __u8 *at, __u32 value)
{
	const __be32 old = word32(at), new = htonl(value);
	__u16 delta = checksum_fold((__u64)(__u32)~old + new);

	if (old == new)
		return;
	/* At an odd offset, the bytes are swapped with respect to the checksum's words (RFC 1071, 2). */
	if ((at - (__u8 *)tcp) & 1)
		delta = __builtin_bswap16(delta);
	tcp->checksum = nat_sum(tcp->checksum, delta);
	word32(at) = new;
}

/* Selective acknowledgements (RFC 2018) have numbers of the other direction, at most ten in 40 bytes of options. */
static void nat_rewrite_sacks(struct tcp_header *tcp, const struct nat_change *other, __u32 length)
{
	__u8 *option = (__u8 *)(tcp + 1), *end = (__u8 *)tcp + length;

	while (option < end && *option != TCP_OPTION_END) {
		if (*option == TCP_OPTION_NOP) {
			option++;
			continue;
		}
		if (end - option < 2 || option[1] < 2 || option[1] > end - option)
			return;
		for (int at = 2; *option == TCP_OPTION_SACK && option[1] % 8 == 2 && at < option[1]; at += 4) {
			const __u32 number = ntohl(word32(option + at));

			nat_word_change(tcp, option + at, number - nat_difference(other, number, true));
		}
		option += option[1];
	}
}

void nat_rewrite_sequence(struct tcp_header *tcp, struct nat_changes *changes, int direction, __u32 length)
{
	const __u32 header = (tcp->offset >> 4) * 4, sequence = ntohl(tcp->sequence);
	const struct nat_change *other = changes->latest[!direction];
	const __u32 acknowledged = ntohl(tcp->acknowledgement);

	if (length < header || header < sizeof(*tcp))
		return;
	nat_changes_age(changes->latest[direction], sequence);
	nat_word_change(tcp, (__u8 *)&tcp->sequence, sequence + nat_difference(changes->latest[direction], sequence, false));
	if (!other)
		return;
	nat_word_change(tcp, (__u8 *)&tcp->acknowledgement, acknowledged - nat_difference(other, acknowledged, true));
	nat_rewrite_sacks(tcp, other, header);
}
