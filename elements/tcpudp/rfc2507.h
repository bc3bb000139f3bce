/* The compressed TCP/IP headers of RFC2507Comp and RFC2507Decomp, in Click's format of RFC 2507.
 *
 *	0, a packet as it was
 *	1, context, a packet whose headers the context gets
 *	2, context, flags, TCP checksum, what has grown, the packet from byte 40 on
 *
 * The increments, one for each set flag except PUSH, in the flags' order from the lowest bit, are one byte from 1 to 255, or 0 and
 * two bytes.
 */
#pragma once

#include <linux/ip.h>
#include <linux/tcp.h>
#include <string.h>

enum rfc2507_kind { RFC2507_OTHER, RFC2507_FULL, RFC2507_COMPRESSED };
enum rfc2507_flag { RFC2507_URGENT = 1, RFC2507_WINDOW = 2, RFC2507_ACK = 4, RFC2507_SEQ = 8, RFC2507_PUSH = 16, RFC2507_ID = 32 };

#define RFC2507_BEFORE 5	/* bytes of a compressed packet before the increments */
#define RFC2507_MOST_GROWN 15	/* the most bytes of increments */

struct rfc2507_headers {
	struct iphdr ip;
	struct tcphdr tcp;
};
