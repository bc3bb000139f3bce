ELEMENT(Facts)
{
	__u32 length = pkt_len(p);
	__s32 facts[6] = {
		pkt_device(p),
		pkt_type(p),
		pkt_has_mac_header(p) ? pkt_mac_offset(p) : -1000,
		pkt_has_network_header(p) ? pkt_network_offset(p) : -1000,
		pkt_has_transport_header(p) ? pkt_transport_offset(p) : -1000,
		length,
	};

	if (!pkt_push(p, sizeof(facts) + ANNO_SIZE))
		return PUNT;
	__builtin_memcpy(pkt_data(p, 0, sizeof(facts)), facts, sizeof(facts));
	__builtin_memcpy(pkt_data(p, sizeof(facts), ANNO_SIZE), p->anno, ANNO_SIZE);
	return OUTPUT(0);
}
