#if USERSPACE
#include <stdio.h>
#endif

ELEMENT(Strip)
{
	if (pkt_pull(p, cfg.length))
		return OUTPUT(0);
	if (!USERSPACE)
		return PUNT;
#if USERSPACE
	fprintf(stderr, "Packet::pull %u > length %u\n", cfg.length, pkt_len(p));
	pkt_pull(p, pkt_len(p));
#endif
	return OUTPUT(0);
}
