ELEMENT(StoreAnno)
{
	__u8 *to = pkt_data(p, cfg.offset, 1);

	if (to) {
		*to = pkt_anno_u8(p, cfg.anno);
		return OUTPUT(0);
	}
	if (!cfg.grow)
		return OUTPUT(0);
	if (!USERSPACE)
		return PUNT;
#if USERSPACE
	const __u32 length = pkt_len(p);

	if (cfg.offset >= PKT_MAX || !pkt_put(p, cfg.offset + 1 - length))
		return DROP(NO_MEMORY);
	memset(p->data + length, 0, cfg.offset - length);
	p->data[cfg.offset] = pkt_anno_u8(p, cfg.anno);
#endif
	return OUTPUT(0);
}
