ELEMENT(Pad)
{
	__u32 length = pkt_len(p), missing = pkt_anno_u32(p, EXTRA_LENGTH_ANNO);

	if (cfg.length)
		missing = length < cfg.length ? cfg.length - length : 0;
	if (missing) {
		if (!USERSPACE)
			return PUNT;
#if USERSPACE
		if (!pkt_put(p, missing))
			return DROP(NO_MEMORY);
		if (cfg.zero)
			memset(p->data + length, 0, missing);
#endif
	}
	pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, 0);
	return OUTPUT(0);
}
