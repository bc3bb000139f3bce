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
	memcpy(p->data + cfg.offset, cfg.data, length - cfg.offset);
#endif
	return OUTPUT(0);
}
