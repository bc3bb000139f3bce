#include <string.h>

/* Where the packet ends within a range, the clipboard keeps its old bytes. */
static void SELF(copy)(struct pkt *p)
{
	__u32 to = 0, length = pkt_len(p);

	for (__u32 i = 0; i < cfg.ranges; i++) {
		const struct SELF(range) *range = &SELF(range)[i];

		if (range->offset < length)
			memcpy((__u8 *)private(board)->bytes + to, p->data + range->offset,
			       range->length < length - range->offset ? range->length : length - range->offset);
		to += range->length;
	}
}

static void SELF(paste)(struct pkt *p)
{
	__u32 from = 0;

	if (pkt_len(p) < cfg.shortest)
		return;
	for (__u32 i = 0; i < cfg.ranges; i++) {
		const struct SELF(range) *range = &SELF(range)[i];

		memcpy(p->data + range->offset, (__u8 *)private(board)->bytes + from, range->length);
		from += range->length;
	}
}

ELEMENT(Clipboard)
{
	if (input == 0)
		SELF(copy)(p);
	else
		SELF(paste)(p);
	return OUTPUT(input);
}
