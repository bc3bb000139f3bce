ELEMENT(StoreTimestamp)
{
	__u32 length = pkt_len(p), offset = cfg.tail ? length : cfg.offset;
	__u32 end = offset + sizeof(p->timestamp);

	if (end > length) {
		if (end > PKT_MAX || !pkt_put(p, end - length))
			return DROP(NO_MEMORY);
		memset(p->data + length, 0, end - length);
	}
	memcpy(p->data + offset, &p->timestamp, sizeof(p->timestamp));
	return OUTPUT(0);
}
