ELEMENT(SetVLANAnno)
{
	const struct SELF(tag) *tag = var(tag);

	if (!tag)
		return PUNT;
	pkt_set_anno_u16(p, VLAN_TCI_ANNO, tag->tci);
	return OUTPUT(0);
}
