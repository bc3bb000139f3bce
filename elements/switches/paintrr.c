ELEMENT(PaintRR)
{
	return OUTPUT(pkt_anno_u8(p, cfg.anno) % (__u32)SELF(noutputs));
}
