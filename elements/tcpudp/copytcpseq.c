#include "ip/transport.h"

#define SEEN (1ull << 32)	/* set above the number once a packet has been seen */

static __always_inline bool SELF(is_newer)(__u64 latest, __u32 number)
{
	return !(latest & SEEN) || seq_before((__u32)latest, number);
}

/* If another CPU updates the number at the same time, the kernel path leaves the packet to the runtime, which retries. */
static __always_inline int SELF(learn)(struct pkt *p)
{
	struct SELF(vars) *vars = var(vars);
	const struct tcp_header *tcp = pkt_transport_header(p, sizeof(*tcp));
	__u64 latest;
	__u32 number;

	if (!tcp)
		return OUTPUT(0);
	number = ntohl(tcp->sequence);
	do {
		latest = read_once(vars->latest);
		if (!SELF(is_newer)(latest, number) || __sync_val_compare_and_swap(&vars->latest, latest, SEEN | number) == latest)
			return OUTPUT(0);
	} while (USERSPACE);
	return PUNT;
}

static __always_inline bool SELF(write)(struct pkt *p)
{
	struct tcp_header *tcp = pkt_transport_header(p, sizeof(*tcp));

	if (!tcp)
		return false;
	tcp->sequence = htonl((__u32)read_once(var(vars)->latest));
	return true;
}

#include "tcpudp/copying.inc.h"
