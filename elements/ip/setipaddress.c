ELEMENT(SetIPAddress)
{
	pkt_set_anno_u32(p, cfg.anno, var(vars)->addr);
	return OUTPUT(0);
}
