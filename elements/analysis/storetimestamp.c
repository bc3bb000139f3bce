ELEMENT(StoreTimestamp)
{
	__u32 length = pkt_len(p), offset = cfg.tail ? length : cfg.offset;
	const __u64 time = pkt_timestamp(p);
	void *place = pkt_data(p, offset, sizeof(time));

	if (place) {
		word32(place) = time;
		word32((char *)place + 4) = time >> 32;
		return OUTPUT(0);
	}
	if (!USERSPACE)
		return PUNT;
#if USERSPACE
	if (offset + sizeof(time) > PKT_MAX || !pkt_put(p, offset + sizeof(time) - length))
		return DROP(NO_MEMORY);
	memset(p->data + length, 0, offset + sizeof(time) - length);
	memcpy(p->data + offset, &time, sizeof(time));
#endif
	return OUTPUT(0);
}
