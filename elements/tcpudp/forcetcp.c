#include "tcpudp/segment.h"
#include "ip/transport.h"

/* Whether a data offset in words is valid for a segment of `length` bytes (RFC 9293, 3.1). */
static __always_inline bool SELF(fits)(__u32 words, __u32 length)
{
	return words >= sizeof(struct tcp_header) / 4 && words * 4 <= length;
}

/* A random valid data offset. */
static __always_inline __u32 SELF(draw_offset)(__u32 length)
{
	__u32 least = sizeof(struct tcp_header) / 4, most = length / 4 < 15 ? length / 4 : 15;

	return least + ((__u64)random_u32() * (most - least + 1) >> 32);
}

/* RANDOM_DPORT: change the ports of some of each eight packets. */
static __always_inline void SELF(draw_port)(struct SELF(vars) *vars, struct tcp_header *tcp)
{
	__u32 turn = read_once(vars->turn);

	write_once(vars->turn, turn + 1);
	if ((turn & 7) < 2)
		tcp->destination = htons(80);
	else if ((turn & 7) == 3)
		tcp->destination = htons(random_u32() & 1023);
}

ELEMENT(ForceTCP)
{
	struct SELF(vars) *vars = var(vars);
	struct segment segment;
	struct tcp_header *tcp = NULL;
	__u64 sum;

	if (segment_find(p, &segment) && segment.length >= sizeof(*tcp) && segment.length <= segment.room)
		tcp = pkt_data(p, segment.offset, sizeof(*tcp));
	if (!tcp) {
		warn(ALWAYS, "ForceTCP: bad lengths");
		return DROP(MALFORMED);
	}
	if (checksum_is_hard(segment.ip, segment.length))
		return PUNT;
	if (!SELF(fits)(tcp->offset >> 4, segment.length)) {
		if (!USERSPACE)
			return PUNT;
		tcp->offset = SELF(draw_offset)(segment.length) << 4 | (tcp->offset & 15);
	}
	if (cfg.flags != -1)
		tcp->flags = (__u8)cfg.flags;
	if (cfg.dport)
		tcp->destination = htons(cfg.dport);
	else if (cfg.random_dport)
		SELF(draw_port)(vars, tcp);
	tcp->checksum = 0;
	sum = pseudo_sum(p, segment.ip, segment.length);
	if (!sum_bytes(p, segment.offset, segment.length, &sum))
		return DROP(MALFORMED);
	tcp->checksum = ~checksum_fold(sum);
	return OUTPUT(0);
}
