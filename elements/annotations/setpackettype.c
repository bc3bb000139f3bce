ELEMENT(SetPacketType)
{
	pkt_set_type(p, cfg.type);
	return OUTPUT(0);
}
