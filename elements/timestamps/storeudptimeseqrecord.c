#include "common/clock.h"
#include "ip/ip.h"
#include "ip/transport.h"
#include "ip6/ip6.h"

/* The record in the UDP packet's data. */
struct SELF(record) {
	__be32 number, seconds, nanoseconds, late_seconds, late_nanoseconds;
};

/* The offset of the UDP header, or 0. */
static __always_inline __u32 SELF(find)(struct pkt *p)
{
	const struct iphdr *ip = pkt_data(p, cfg.offset, sizeof(*ip));
	const struct ip6_header *ip6;

	if (!ip)
		return 0;
	if (ip->version == 4)
		return ip->protocol == PROTOCOL_UDP && ip->ihl >= 5 && !(ip->frag_off & htons(IP_OFFSET)) ?
			       cfg.offset + ip_header_length(ip) :
			       0;
	ip6 = pkt_data(p, cfg.offset, sizeof(*ip6));
	return ip->version == 6 && ip6 && ip6->next == PROTOCOL_UDP ? cfg.offset + sizeof(*ip6) : 0;
}

static __always_inline __u64 SELF(sum)(const struct SELF(record) *record)
{
	return (__u64)record->number + record->seconds + record->nanoseconds + record->late_seconds + record->late_nanoseconds;
}

/* The time since the record's. If that is in the future, the seconds are negative, the nanoseconds positive, as in Click. */
static __always_inline void SELF(be_late)(struct SELF(record) *record, __u64 time)
{
	const __u64 then = ntohl(record->seconds) * (__u64)NS_PER_SECOND + ntohl(record->nanoseconds);
	const bool early = time < then;
	const __u64 between = early ? then - time : time - then;
	__u32 seconds = between / NS_PER_SECOND, rest = between % NS_PER_SECOND;

	if (early) {
		seconds = -seconds - (rest > 0);
		rest = rest ? NS_PER_SECOND - rest : 0;
	}
	record->late_seconds = htonl(seconds);
	record->late_nanoseconds = htonl(rest);
}

static __always_inline void SELF(begin)(struct SELF(record) *record, __u32 number, __u64 time)
{
	record->number = htonl(number);
	record->seconds = htonl((__u32)(time / NS_PER_SECOND));
	record->nanoseconds = htonl((__u32)(time % NS_PER_SECOND));
	record->late_seconds = record->late_nanoseconds = 0;
}

ELEMENT(StoreUDPTimeSeqRecord)
{
	const __u32 offset = SELF(find)(p);
	struct udp_header *udp = offset ? pkt_data(p, offset, sizeof(*udp) + sizeof(struct SELF(record))) : NULL;
	struct SELF(record) *record;
	__u64 before, number;

	if (!udp)
		return DROP(MALFORMED);
	record = (void *)(udp + 1);
	before = SELF(sum)(record);
	number = __sync_fetch_and_add(&var(vars)->count, 1) + 1;
	if (cfg.delta)
		SELF(be_late)(record, wall_clock());
	else
		SELF(begin)(record, number, wall_clock());
	if (udp->checksum) {
		/* Subtract the record's old sum. The added 5 * 0xffffffff is 0 in ones' complement. */
		udp->checksum = ~checksum_fold((__u64)(__u16)~udp->checksum + 5 * 0xffffffffull - before + SELF(sum)(record));
		if (!udp->checksum)
			udp->checksum = 0xffff;
	}
	return OUTPUT(0);
}
