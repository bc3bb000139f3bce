#include "ethernet/arp.h"

/* The first entry that matches an address, or NULL. `current` is the half of the table in use, and its length. */
static __always_inline const struct SELF(table) *SELF(lookup)(__be32 address)
{
	const __u64 current = read_once(var(vars)->current);
	__u32 first = (current >> 32) * cfg.room, length = current;

	for (__u32 i = 0; i < cfg.room && i < length; i++) {
		const struct SELF(table) *entry = at(table, first + i);

		if (entry && (address & entry->mask) == entry->address)
			return entry;
	}
	return NULL;
}

/* Clear the request's annotations, except the VLAN tag, for the reply. */
static __always_inline void SELF(forget)(struct pkt *p)
{
	__u16 tag = pkt_anno_u16(p, VLAN_TCI_ANNO);

	__builtin_memset(p->anno, 0, ANNO_SIZE);
	pkt_set_anno_u16(p, VLAN_TCI_ANNO, tag);
	p->trans = NO_HEADER;
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, ETH_HLEN);
	pkt_set_type(p, PACKET_HOST);
#if USERSPACE
	p->timestamp = 0;
#endif
}

ELEMENT(ARPResponder)
{
	struct arp_frame *arp = pkt_data(p, 0, sizeof(*arp));
	const struct SELF(table) *entry = NULL;
	__be32 asked;

	if (arp && arp_is(arp, ARP_REQUEST))
		entry = SELF(lookup)(word32(arp->target_ip));
	if (!entry)
		return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(FILTERED);
	asked = word32(arp->target_ip);
	ether_copy(arp->to, arp->sender);
	ether_copy(arp->target, arp->sender);
	word32(arp->target_ip) = word32(arp->sender_ip);
	ether_copy(arp->from, entry->ether);
	ether_copy(arp->sender, entry->ether);
	word32(arp->sender_ip) = asked;
	arp_fill(arp, ARP_REPLY);
	pkt_trim(p, sizeof(*arp));
	SELF(forget)(p);
	return OUTPUT(0);
}
