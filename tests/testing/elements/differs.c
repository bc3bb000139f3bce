/* Whether the packet before came long ago, by nanoseconds. */
static __always_inline bool SELF(is_late)(struct pkt *p)
{
	const __u64 time = now();
	struct SELF(counters) *c = slot(counters);
	__u64 last;

	if (!c)
		return false;
	last = c->last;
	c->last = time;
	return time - last > 5000000000ull;
}

ELEMENT(Differs)
{
	__u8 *ttl = pkt_data(p, 22, 1);

	if (!ttl || *ttl != 7)
		return OUTPUT(0);
	if (cfg.what == 8)
		return SELF(is_late)(p) && USERSPACE ? DROP(FILTERED) : OUTPUT(0);
	if (cfg.what == 6)
		return USERSPACE ? DROP(FILTERED) : DROP(NO_ROUTE);
	count(counters, count, 1);
	if (!USERSPACE)
		return OUTPUT(0);
	switch (cfg.what) {
	case 0:
		*ttl = 8;
		break;
	case 1:
		return OUTPUT(1);
	case 2:
		pkt_set_anno_u8(p, PAINT_ANNO, 9);
		break;
	case 3:
		pkt_set_network_header(p, 14);
		break;
	case 4:
		count(counters, count, 1);
		break;
	case 5:
		return DROP(FILTERED);
	}
	return OUTPUT(0);
}
