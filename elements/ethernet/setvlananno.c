ELEMENT(SetVLANAnno)
{
	pkt_set_anno_u16(p, VLAN_TCI_ANNO, var(tag)->tci);
	return OUTPUT(0);
}
