ELEMENT(AggregateLength)
{
	__u32 length = pkt_len(p) + pkt_anno_u32(p, EXTRA_LENGTH_ANNO);

	if (cfg.ip) {
		if (!pkt_has_network_header(p))
			return OUTPUT(1);
		length -= pkt_network_offset(p);
	}
	pkt_set_anno_u32(p, AGGREGATE_ANNO, length);
	return OUTPUT(0);
}
