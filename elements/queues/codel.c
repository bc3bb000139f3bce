#include "timestamps/timestamps.h"

#define CODEL_SCALE 256	/* of the number under the root, 16^2 */

static __u64 SELF(root)(__u64 value)
{
	__u64 root = 0;

	for (__u64 bit = 1ull << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= value)
			root |= bit;
	return root;
}

/* The time of the next drop, INTERVAL / sqrt(drops) after the last. */
static __s64 SELF(after)(const struct SELF(codel) *c, __s64 time)
{
	return time + c->interval * 16 / (__s64)SELF(root)((__u64)c->drops * CODEL_SCALE);
}

/* The next packet; *late is whether packets have waited too long for an INTERVAL, so that it may be dropped. */
static struct pkt *SELF(next)(struct SELF(codel) *c, __s64 time, bool *late)
{
	struct pkt *p = pull(0);
	__s64 since = p ? *pkt_first_timestamp(p) : 0;

	*late = false;
	if (!p) {
		c->above = 0;
	} else if (since) {
		if (time - since < c->target)
			c->above = 0;
		else if (!c->above)
			c->above = time + c->interval;
		else
			*late = time >= c->above;
	}
	return p;
}

static struct pkt *SELF(replace)(struct SELF(codel) *c, struct pkt *p, __s64 time, bool *late)
{
	discard(p, EXPIRED);
	private(drop)->count++;
	return SELF(next)(c, time, late);
}

/* In the dropping state: drop packets that are due. Each iteration removes a packet, so the loop ends. */
static struct pkt *SELF(go_on)(struct SELF(codel) *c, struct pkt *p, __s64 time, bool late)
{
	c->dropping = late;
	while (c->dropping && time >= c->next) {
		c->drops++;
		p = SELF(replace)(c, p, time, &late);
		if (late)
			c->next = SELF(after)(c, c->next);
		else
			c->dropping = false;
	}
	return p;
}

/* Enter the dropping state with a first drop. If the last one ended recently, continue at nearly its rate. */
static struct pkt *SELF(begin)(struct SELF(codel) *c, struct pkt *p, __s64 time)
{
	bool late;

	p = SELF(replace)(c, p, time, &late);
	c->dropping = true;
	c->drops = time - c->next < c->interval && c->drops > 2 ? c->drops - 2 : 1;
	c->next = SELF(after)(c, time);
	return p;
}

PULL()
{
	struct SELF(codel) *c = private(codel);
	__s64 time = wall_clock();
	bool late;
	struct pkt *p = SELF(next)(c, time, &late);

	if (!p || !*pkt_first_timestamp(p)) {
		c->dropping = false;
		return p;
	}
	if (c->dropping)
		return SELF(go_on)(c, p, time, late);
	if (late && (time - c->next < c->interval || time - c->above >= c->interval))
		return SELF(begin)(c, p, time);
	return p;
}

#include "queues/watched.inc.h"
