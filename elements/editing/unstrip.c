ELEMENT(Unstrip)
{
	return pkt_push(p, cfg.length) ? OUTPUT(0) : PUNT;
}
