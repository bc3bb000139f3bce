#if USERSPACE
/* Store the first bytes of DATA only. */
static void SELF(store_some)(__u8 *to, __u32 length)
{
	for (__u32 i = 0; i < length; i++)
		to[i] = (to[i] & ~cfg.mask[i]) | (cfg.data[i] & cfg.mask[i]);
}
#endif

ELEMENT(StoreData)
{
	__u32 length = pkt_len(p);
	__u8 *to;

	if (length <= cfg.offset || !cfg.length)
		return OUTPUT(0);
	to = pkt_data(p, cfg.offset, cfg.length);
	if (to) {
		SELF(store)(to);
		return OUTPUT(0);
	}
	if (!USERSPACE)
		return PUNT;
#if USERSPACE
	if (!cfg.grow) {
		SELF(store_some)(p->data + cfg.offset, length - cfg.offset);
		return OUTPUT(0);
	}
	if (!pkt_put(p, cfg.offset + cfg.length - length))
		return DROP(NO_MEMORY);
	memset(p->data + length, 0, cfg.offset + cfg.length - length);
	SELF(store)(p->data + cfg.offset);
#endif
	return OUTPUT(0);
}
