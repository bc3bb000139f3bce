/* Walking along a chain of extension headers; part of ip6.h. */
#pragma once

#if USERSPACE
static inline void ip6_walk_chain(struct pkt *p, struct ip6_inner *at)
{
	for (int i = 0; i < IP6_MOST_EXTENSIONS && ip6_is_extension(at->protocol) && !at->later; i++)
		ip6_step_over(pkt_network_data(p, at->offset, 8), at);
	if (ip6_is_extension(at->protocol) && !at->later)
		at->protocol = -1;
}
#else
/* Inlined, each header would multiply the paths to verify, and 8 headers of several kinds would be refused. The verifier checks a
 * global function only once, by itself; but its arguments and result must be plain numbers.
 */
union ip6_place {
	__u64 number;
	struct {
		/* Extension headers begin at multiples of 4 bytes. */
		__u64 offset : 13, routing : 12, fragment : 12, named : 12;
		__u64 protocol : 8, later : 1, unknown : 1;
	};
};

static __always_inline union ip6_place ip6_pack(const struct ip6_inner *at)
{
	return (union ip6_place){ .offset = at->offset / 4, .routing = at->routing / 4, .fragment = at->fragment / 4,
				  .named = at->named / 4, .protocol = at->protocol, .later = at->later, .unknown = at->protocol < 0 };
}

static __always_inline struct ip6_inner ip6_unpack(__u64 number)
{
	union ip6_place place = { .number = number };

	return (struct ip6_inner){ .protocol = place.unknown ? -1 : place.protocol, .offset = place.offset * 4,
				   .routing = place.routing * 4, .fragment = place.fragment * 4, .named = place.named * 4,
				   .later = place.later };
}

/* One step. `net` is the offset of the network header in the frame, `end` the end of the packet. */
__attribute__((noinline)) __u64 ip6_chain_step(struct CONTEXT *ctx, __u64 number, __u32 net, __u32 end)
{
	struct ip6_inner at = ip6_unpack(number);
	struct pkt frame = { .ctx = ctx };
	__u32 start = net + at.offset;
	const __u8 *extension;

	pkt_load(&frame);
	extension = start + 8 <= end ? pkt_frame_at(&frame, start, 8) : NULL;
	ip6_step_over(extension, &at);
	return ip6_pack(&at).number;
}

__attribute__((noinline)) __u64 ip6_chain_end(struct CONTEXT *ctx, __u64 number, __u32 net, __u32 end)
{
	union ip6_place at = { .number = number };

#pragma clang loop unroll(disable)
	for (int i = 0; i < IP6_MOST_EXTENSIONS; i++) {
		at.number = ip6_chain_step(ctx, at.number, net, end);
		if (at.later || at.unknown || !ip6_is_extension(at.protocol))
			return at.number;
	}
	at.unknown = true;
	return at.number;
}

static __always_inline void ip6_walk_chain(struct pkt *p, struct ip6_inner *at)
{
	*at = ip6_unpack(ip6_chain_end(p->ctx, ip6_pack(at).number, p->net, p->size - p->trim));
	if (at->protocol < 0)
		pkt_note_unseen(p, p->net + at->offset + 8L);	/* perhaps that is why */
}
#endif
