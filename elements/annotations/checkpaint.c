ELEMENT(CheckPaint)
{
	if (pkt_anno_u8(p, cfg.anno) == var(vars)->color)
		return OUTPUT(0);
	return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(FILTERED);
}
