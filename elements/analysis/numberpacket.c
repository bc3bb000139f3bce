#include "analysis/number.h"
#include "ip/ip.h"

/* For RecordTimestamp. */
static __attribute__((unused)) bool SELF(net_order)(void)
{
	return cfg.net_order;
}

#if USERSPACE
/* Update the IP header's length, within its limits, and checksum. */
static void SELF(lengthen)(struct pkt *p)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	__u32 length;
	__u16 before;

	if (!ip || ip->version != 4)
		return;
	length = pkt_len(p) - pkt_network_offset(p);
	if (length > 0xffff)
		return;
	before = ip->tot_len;
	ip->tot_len = htons((__u16)length);
	ip->check = checksum_update(ip->check, before, ip->tot_len);
}

static bool SELF(grow)(struct pkt *p)
{
	const __u32 length = pkt_len(p), wanted = cfg.offset + NUMBER_SIZE;

	if (wanted > PKT_MAX || !pkt_put(p, wanted - length))
		return false;
	memset(p->data + length, 0, wanted - length);
	SELF(lengthen)(p);
	return true;
}
#endif

ELEMENT(NumberPacket)
{
	void *place = pkt_data(p, cfg.offset, NUMBER_SIZE);

	if (!USERSPACE && !place)
		return PUNT;
#if USERSPACE
	if (!place) {
		if (!SELF(grow)(p))
			return DROP(NO_MEMORY);
		place = pkt_data(p, cfg.offset, NUMBER_SIZE);
	}
#endif
	number_write(place, __sync_fetch_and_add(&var(vars)->number, 1), cfg.net_order);
	return OUTPUT(0);
}
