#include <stddef.h>

/* The C library's memmem(), linear in the packet's length; <string.h> only declares it with _GNU_SOURCE. */
void *memmem(const void *in, size_t length, const void *wanted, size_t wanted_length);

ELEMENT(Search)
{
	const __u8 *found = memmem(p->data, pkt_len(p), SELF(pattern), cfg.length);
	__u32 before;

	if (!found)
		return OUTPUT(1);
	before = found - p->data + (cfg.strip_after ? cfg.length : 0);
	pkt_pull(p, before);
	if (cfg.set_anno)
		pkt_set_anno_u16(p, cfg.anno, pkt_anno_u16(p, cfg.anno) + before);
	return OUTPUT(0);
}
