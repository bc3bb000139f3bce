ELEMENT(UnstripAnno)
{
	return pkt_push(p, pkt_anno_u16(p, cfg.anno)) ? OUTPUT(0) : DROP(NO_MEMORY);
}
