/* ARP for IPv4 over Ethernet (RFC 826). */
#pragma once

#define ARP_ETHERNET 1
#define ARP_REQUEST 1
#define ARP_REPLY 2

/* A whole frame: Ethernet header and ARP packet. IP addresses are unaligned: word32() reads and writes them. */
struct arp_frame {
	__u8 to[6], from[6];
	__be16 type;
	__be16 hardware, protocol;
	__u8 hardware_length, protocol_length;
	__be16 operation;
	__u8 sender[6], sender_ip[4];
	__u8 target[6], target_ip[4];
} __attribute__((packed));

_Static_assert(sizeof(struct arp_frame) == 42, "an ARP frame has 42 bytes");

static __always_inline bool arp_is(const struct arp_frame *arp, int operation)
{
	return arp->type == htons(ETH_P_ARP) && arp->hardware == htons(ARP_ETHERNET) && arp->protocol == htons(ETH_P_IP) &&
	       arp->operation == htons(operation);
}

/* Fill in everything but the addresses. */
static __always_inline void arp_fill(struct arp_frame *arp, int operation)
{
	arp->type = htons(ETH_P_ARP);
	arp->hardware = htons(ARP_ETHERNET);
	arp->protocol = htons(ETH_P_IP);
	arp->hardware_length = 6;
	arp->protocol_length = 4;
	arp->operation = htons(operation);
}
