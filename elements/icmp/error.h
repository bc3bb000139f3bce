/* ICMP errors (RFC 1812, 4.3.2) about packets; runtime only. Addresses are in network byte order. */
#ifndef CLICKBPF_ICMP_ERROR_H
#define CLICKBPF_ICMP_ERROR_H

/* The error, and who sends it. */
struct icmp_error {
	__u8 type, code;
	__u8 fix;				/* its annotation FIX_IP_SRC */
	__be32 source;
	__u32 mtu;				/* bytes that it has at most */
	__u32 pmtu;				/* the next hop's, for those that need to know */
	bool (*is_bad)(__be32 address);		/* whether an address is known to be no single host's */
	__u32 *number;				/* of the last message, counted up */
};

/* Whether the error may be sent about a packet, whose IP header is `ip`. */
bool icmp_error_is_due(const struct icmp_error *e, struct pkt *p, const struct iphdr *ip);
/* Make the packet the error, around what was in it: OUTPUT(0), or a DROP without memory. */
int icmp_error_make(const struct icmp_error *e, struct pkt *p, const struct iphdr *ip);

#endif
