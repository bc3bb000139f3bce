#include "ip/ip.h"

#define ROOM 128

/* Whether the lowest bits of the address's last two hexadecimal digits differ. */
static __always_inline bool SELF(waits)(__be32 source)
{
	__u32 address = ntohl(source);

	return (address ^ address >> 4) & 1;
}

#if USERSPACE
static int SELF(keep)(struct pkt *p)
{
	struct SELF(waiting) *waiting = private(waiting);

	if (waiting->length == ROOM)
		return DROP(FULL);
	p->next = NULL;
	*(waiting->length ? &((struct pkt *)waiting->last)->next : (struct pkt **)&waiting->first) = p;
	waiting->last = p;
	if (++waiting->length == 1)
		wake_pullers();
	return STOLEN;
}
#endif

MARKED_ELEMENT(DupPath, const struct iphdr, ip)
{
	if (!SELF(waits)(ip->saddr))
		return OUTPUT(0);
	return IN_USERSPACE(SELF(keep)(p));
}

#if USERSPACE

PULL()
{
	struct SELF(waiting) *waiting = private(waiting);
	struct pkt *p = waiting->length ? waiting->first : NULL;

	if (p) {
		waiting->first = p->next;
		p->next = NULL;
		waiting->length--;
	}
	return p;
}

CLEANUP()
{
	struct pkt *p;

	while ((p = SELF(pull_action)(1)))
		pkt_free(p);
}

#endif
