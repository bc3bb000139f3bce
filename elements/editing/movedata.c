/* MoveData: copies bytes within packets. */
#include <string.h>

/* Make the packet at least `length` bytes long, with zeros. */
static bool SELF(grow)(struct pkt *p, __u32 length)
{
	const __u32 before = pkt_len(p);

	if (before >= length)
		return true;
	if (!pkt_put(p, length - before))
		return false;
	memset(p->data + before, 0, length - before);
	return true;
}

ELEMENT(MoveData)
{
	const __u32 length = pkt_len(p), end = cfg.dst_offset + cfg.length;

	if (length <= cfg.src_offset + cfg.length || (length < end && !cfg.grow))
		return OUTPUT(0);
	if (!SELF(grow)(p, end))
		return DROP(NO_MEMORY);
	memmove(p->data + cfg.dst_offset, p->data + cfg.src_offset, cfg.length);
	return OUTPUT(0);
}
