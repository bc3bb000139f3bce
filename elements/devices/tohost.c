/* In Click, Linux gets the packet type from the annotation; here it derives the type from the destination address. So make the
 * address agree with the annotation, since EtherEncap may have written any address. A device created by FromHost is a cable to
 * Linux: addresses stay as they are.
 */
static __always_inline void SELF(readdress)(struct pkt *p, int device)
{
	const void *own = device_address(device);
	struct ethhdr *eth = pkt_data(p, 0, sizeof(*eth));

	if (!eth || device_is_made(device) || device_is_l3(device))
		return;
	if (pkt_type(p) == PACKET_BROADCAST) {
		word32(eth->h_dest) = 0xffffffff;
		word16(eth->h_dest + 4) = 0xffff;
	} else if (pkt_type(p) == PACKET_HOST && (*(const __u32 *)own || ((const __u16 *)own)[2])) {
		ether_copy(eth->h_dest, own);
	} else if (pkt_type(p) == PACKET_MULTICAST) {
		eth->h_dest[0] |= 1; /* the group bit */
	}
}

#if USERSPACE

/* Add an Ethernet header to the device's own address. */
static bool SELF(add_header)(struct pkt *p, int device)
{
	const struct iphdr *ip = pkt_data(p, 0, 1);
	__be16 protocol = ip && ip->version == 6 ? htons(ETH_P_IPV6) : htons(ETH_P_IP);
	struct ethhdr *eth;

	if (!pkt_push(p, sizeof(*eth)))
		return false;
	eth = pkt_data(p, 0, sizeof(*eth));
	ether_copy(eth->h_dest, device_address(device));
	__builtin_memset(eth->h_source, 0, sizeof(eth->h_source));
	eth->h_proto = protocol;
	return true;
}

ELEMENT(ToHost)
{
	const int device = self_device() >= 0 ? self_device() : pkt_device(p);
	enum device_side side;

	if (device < 0) {
		count(counters, drops, 1);
		return DROP(DEVICE);
	}
	if (cfg.type && !device_is_l3(device) && !SELF(add_header)(p, device))
		return DROP(NO_MEMORY);
	if (!cfg.sniffers)
		SELF(readdress)(p, device);
	side = cfg.sniffers ? SIDE_SNIFFERS : device_is_made(device) ? SIDE_WIRE : SIDE_HOST;
	if (device_send(device, side, p))
		return DROP(DEVICE);
	device_flush(device, side);
	count(counters, count, 1);
	return STOLEN;
}

#else

/* Whether the kernel path can give the packet to Linux: on the device that it came from or that Linux was about to send it by, or
 * through a device created by FromHost.
 */
static __always_inline bool SELF(can_give)(struct pkt *p, int device)
{
	return device == pkt_device(p) || device_is_outbound_of(pkt_device(p), device) || device_is_made(device);
}

ELEMENT(ToHost)
{
	const int device = self_device() >= 0 ? self_device() : pkt_device(p);

	if (device < 0) {
		count(counters, drops, pkt_packets(p));
		return DROP(DEVICE);
	}
	if (cfg.type || !SELF(can_give)(p, device) || !pkt_can_leave_by(p, device))
		return PUNT;
	SELF(readdress)(p, device);
	count(counters, count, pkt_packets(p));
	return TO_HOST;
}

#endif
