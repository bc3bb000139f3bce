ELEMENT(SetAnnoByte)
{
	pkt_set_anno_u8(p, cfg.anno, var(vars)->value);
	return OUTPUT(0);
}
