ELEMENT(AggregatePaint)
{
	__u32 paint = pkt_anno_u8(p, PAINT_ANNO) & ((1u << cfg.bits) - 1);

	if (cfg.incremental)
		paint += pkt_anno_u32(p, AGGREGATE_ANNO) << cfg.bits;
	pkt_set_anno_u32(p, AGGREGATE_ANNO, paint);
	return OUTPUT(0);
}
