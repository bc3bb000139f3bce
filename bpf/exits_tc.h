/* The exits of TC programs, and the preparation of socket buffers on entry.
 *
 * Packets for the runtime leave by the inlet, a veth device of the router's own, with the record in front of the frame. At the
 * pair's other end an XDP program (`inlet`) redirects them to an AF_XDP socket. The inlet has no offloads, so on the way out the
 * kernel segments GSO packets, each segment with a copy of the record, and completes checksums.
 */
#pragma once

#include <linux/in.h>
#include <linux/ipv6.h>
#include <linux/pkt_cls.h>
#include <linux/tcp.h>

_Static_assert(DEVICES < 256, "a handover record says in 8 bits which device a packet came from");

/* Marks of frames that come in a second time, for Linux or for packet sockets only. Set by the loader; these values are for other
 * loaders.
 */
const volatile __u32 tohost_mark = 0xC11C, sniffers_mark = 0xC11D;
/* Bytes of a GSO packet to pull into the linear part: Ethernet with tags, the longest IPv4 header or IPv6 with some extension
 * headers, TCP.
 */
#define HEADERS 160

/* The interface index of each device, and of the inlet. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, DEVICES + 1);
	__type(key, __u32);
	__type(value, __u32);
} tx SEC(".maps");

FUNCTIONS

/* 0 if unknown. */
static __always_inline __u32 interface_of(__u32 device)
{
	__u32 *index = bpf_map_lookup_elem(&tx, &device);

	keep_apart();
	return index ? *index : 0;
}

/* Whether the packet is CHECKSUM_PARTIAL. Programs can't read skb->ip_summed, but bpf_l4_csum_replace() without BPF_F_PSEUDO_HDR
 * then leaves the field alone: try it on the first bytes of the frame.
 */
__attribute__((noinline)) int is_unfinished(struct CONTEXT *ctx)
{
	__u16 before, after;
	void *data, *end;

	frame_bounds(ctx, data, end);
	if (data + sizeof(before) > end)
		return 0;
	before = word16(data);
	if (bpf_l4_csum_replace(ctx, 0, 0, 1, sizeof(before)))
		return 0;
	frame_bounds(ctx, data, end);
	if (data + sizeof(after) > end)
		return 0;
	after = word16(data);
	word16(data) = before;
	return before == after;
}

/* Whether the kernel still has to segment the packet or complete its checksum, so that headers and data must stay where they are. */
static __always_inline bool pkt_is_offloaded(struct pkt *p)
{
	bool yes = p->joined.more || is_unfinished(p->ctx);

	pkt_load(p);
	return yes;
}

/* Whether skb->protocol, which the kernel has set from another frame, still matches the packet's IP version. */
static __always_inline bool pkt_is_ip_as_seen(struct pkt *p)
{
	const __u8 *first = pkt_data(p, 0, 1);
	const __u16 protocol = p->ctx->protocol;

	return first && ((*first >> 4 == 4 && protocol == htons(ETH_P_IP)) || (*first >> 4 == 6 && protocol == htons(ETH_P_IPV6)));
}

/* Whether the packet can be sent by a device, or given to Linux as received there. Limits of the kernel: no helper cuts a frame
 * before skb's network and transport headers, or moves the start or end of a packet with offloads; a device with a link header
 * sends no packet without one; an L3 device sends from skb's network header on, as skb->protocol.
 */
static __always_inline bool pkt_can_leave_by(struct pkt *p, __u32 device)
{
	const bool l3 = device_is_l3(device);

	if (l3 && (!pkt_is_ip_as_seen(p) || p->link - p->off > MOST_OPENED))
		return false;
	if (p->trim || (l3 ? p->off != p->link : p->off || !p->link))
		return pkt_len(p) >= (p->trim ? SHORTEST_CUT : LINK_HEADER) && !pkt_is_offloaded(p);
	return l3 || pkt_len(p) >= ETH_HLEN;
}

/* Make the frame equal to the packet before it leaves by a device. For an L3 device, keep the bytes before the network header,
 * which the kernel strips.
 */
static __always_inline bool pkt_settle_for(struct pkt *p, __u32 device)
{
	int start = device_is_l3(device) ? p->link : 0;

	if (unlikely(!p->link && !device_is_l3(device))) {
		rarely();
		if (!pkt_move_start(p, -ETH_HLEN))
			return false;
	}
	if (p->off > start && !pkt_move_start(p, p->off - start))
		return false;
	if (p->off < start) {
		if (!frame_open(p->ctx, p->off, start))
			return false;
		p->size += start - p->off;
	}
	p->off = 0;
	return pkt_settle(p);
}

/* Whether a packet can leave by a device as one of several copies, which share the same bytes. */
#define copies_can_leave_by(p, device) (device_is_l3(device) ? !(p)->off && !(p)->link : (p)->link != 0)

/* skb->tc_index of packets that the router itself sends by a device with a FromOutbound: that element takes only Linux's. */
#define NOT_FROM_LINUX 0xc11c

/* The verdict that sends the finished frame by a device. A packet that Linux was about to send there just continues. */
static __always_inline int leave_by(struct pkt *p, __u32 device, __u32 interface)
{
	if (device_is_outbound_of(p->device, device))
		return TC_ACT_UNSPEC;
	if (device_has_outbound(device))
		p->ctx->tc_index = NOT_FROM_LINUX;
	return bpf_redirect(interface, 0);
}

/* Send a clone of the finished frame by a device. An errno if that fails. */
static __always_inline long clone_by(struct pkt *p, __u32 device, __u32 interface)
{
	const __u16 before = p->ctx->tc_index;
	long error;

	if (device_has_outbound(device))
		p->ctx->tc_index = NOT_FROM_LINUX;
	error = bpf_clone_redirect(p->ctx, interface, 0);
	if (device_has_outbound(device))
		p->ctx->tc_index = before;
	return error;
}

/* Send by a device. */
static __always_inline int send(struct pkt *p, __u32 element, __u32 device)
{
	__u32 interface;

	trace_packet(p, element, 0, TRACED_SENT, device);
	if (!pkt_settle_for(p, device))
		return drop_packet(p, element, DROP_NO_HEADROOM);
	trace_exit(TRACE_SENT, device);
	if (tracing)
		return TC_ACT_OK;
	interface = interface_of(device);
	return likely(interface) ? leave_by(p, device, interface) : drop_packet(p, element, DROP_DEVICE);
}

static __always_inline bool device_is_there(__u32 device)
{
	return interface_of(device);
}

/* Send a clone of the finished packet by a device; the packet itself stays here. A clone that can't be sent, for lack of memory or
 * because the device is down or full, is a drop of `element`, which made it. (For a device that doesn't exist, copy_to() has
 * counted the drop.)
 */
static __always_inline void send_copy(struct pkt *p, __u32 element, __u32 device)
{
	__u32 interface = interface_of(device);

	if (interface && clone_by(p, device, interface))
		drop_packet(p, element, DROP_DEVICE);
}

/* Send a clone of a packet that continues unchanged. */
static __always_inline void send_clone(struct pkt *p, __u32 element, __u32 device)
{
	if (tracing)
		trace_clone(p->ctx, p->size, device);
	else
		send_copy(p, element, device);
	pkt_load(p);
}

/* Send the packet itself, last. */
static __always_inline int send_last(struct pkt *p, __u32 device)
{
	__u32 interface = interface_of(device);

	return interface ? leave_by(p, device, interface) : DROPPED;
}

/* Whether the frame's header still says what Linux has read from it: protocol and packet type. */
static __always_inline bool is_as_received(struct pkt *p)
{
	const __u8 *start;

	if (p->off || p->trim || device_is_outbound(p->device))
		return false;
	if (device_is_l3(p->device))
		return !p->link && pkt_is_ip_as_seen(p);
	start = pkt_frame_at(p, 0, ETH_HLEN);
	return start && word16(start + 12) == (__u16)p->ctx->protocol &&
	       packet_type(*(const __u64 *)start, p->device) == p->ctx->pkt_type;
}

/* Give the packet to Linux as received on `device`: the one it arrived on, or one that the router has created. If Linux has to
 * parse the header or tags anew, the frame is redirected to the device's ingress.
 */
static __always_inline int to_host(struct pkt *p, __u32 element, __u32 device)
{
	__u32 interface;

	if (device_is_made(device))
		return send(p, element, device);
	trace_packet(p, element, 0, TRACED_HOST, device);
	if (is_as_received(p)) {
		trace_exit(TRACE_HOST, device);
		return TC_ACT_UNSPEC;
	}
	if (!pkt_settle_for(p, device))
		return drop_packet(p, element, DROP_NO_HEADROOM);
	trace_exit(TRACE_HOST, device);
	if (tracing)
		return TC_ACT_OK;
	interface = interface_of(device);
	if (!interface)
		return drop_packet(p, element, DROP_DEVICE);
	p->ctx->mark = tohost_mark;
	return bpf_redirect(interface, BPF_F_INGRESS);
}

static __always_inline bool is_tag(__be16 protocol)
{
	return protocol == htons(ETH_P_8021Q) || protocol == htons(ETH_P_8021AD);
}

/* The length of a frame's link header with its tags, and the protocol that follows; 0 if it is cut short. */
static __always_inline __u32 link_header(void *data, void *end, __be16 *protocol)
{
	__u32 at = 12;

	for (int i = 0; i <= MOST_TAGS; i++) {
		if (data + at + 2 > end)
			return 0;
		*protocol = word16(data + at);
		if (!is_tag(*protocol))
			break;
		at += 4;
	}
	return at + 2;
}

/* The offset of the TCP payload in a GSO frame; 0 if the frame isn't one TCP packet over IP that fills it. */
__attribute__((noinline)) int find_payload(struct CONTEXT *ctx, bool l3)
{
	__u32 size = ctx->len, at = 0, header;
	void *data, *end;
	const struct tcphdr *tcp;
	const struct ipv6hdr *ip6;
	const struct iphdr *ip;
	__be16 protocol = ctx->protocol;

	frame_bounds(ctx, data, end);
	if (!l3 && !(at = link_header(data, end, &protocol)))
		return 0;
	ip = data + at;
	ip6 = data + at;
	if (protocol == htons(ETH_P_IP)) {
		if ((void *)(ip + 1) > end || ip->protocol != IPPROTO_TCP || ip->ihl < 5 || ntohs(ip->tot_len) + at != size)
			return 0;
		at += ip->ihl * 4;
	} else {
		if (protocol != htons(ETH_P_IPV6) || (void *)(ip6 + 1) > end || ip6->nexthdr != IPPROTO_TCP)
			return 0;
		at += sizeof(*ip6);
		if (ntohs(ip6->payload_len) + at != size)
			return 0;
	}
	at &= 0xff;
	tcp = data + at;
	if ((void *)(tcp + 1) > end)
		return 0;
	header = at + tcp->doff * 4;
	return tcp->doff >= 5 && header < size ? header : 0;
}

/* The longest frame that the inlet carries in one buffer. Its MTU (objects/made.py) is larger, for multi-buffer frames. */
#define LARGEST_HANDED (3498 + ETH_HLEN)

/* The longest frame that the kernel will send for this one: a GSO packet is segmented first. */
static __always_inline __u32 longest_sent(struct CONTEXT *ctx, __u32 device)
{
	return ctx->gso_size ? ctx->gso_size + (find_payload(ctx, device_is_l3(device)) ?: HEADERS) : ctx->len;
}

/* Put the record before the frame and send both to the runtime. Out of line because every PUNT calls it. */
static __attribute__((noinline)) int hand_over_record(struct CONTEXT *ctx, const struct crossing *record, __u32 device, __u32 share)
{
	const __u32 longest = longest_sent(ctx, device) + CROSSING_SIZE, places = HANDOVER_PLACES(longest) * frame_packets(ctx);
	void *data, *end;
	__u32 interface;

	if (longest > LARGEST_HANDED && longest > most_in_parts)
		return drop_handed(ctx, record, device, DROP_DEVICE);
	if (bpf_skb_change_head(ctx, CROSSING_SIZE, 0))
		return drop_handed(ctx, record, device, DROP_NO_HEADROOM);
	frame_bounds(ctx, data, end);
	if (data + CROSSING_SIZE > end)
		return drop_handed(ctx, record, device, DROP_NO_HEADROOM);
	__builtin_memcpy((__u32 *)data, (const __u32 *)record, CROSSING_SIZE);
	trace_exit(TRACE_HANDED, device);
	if (tracing)
		return TC_ACT_OK;
	interface = interface_of(INLET);
	if (!interface)
		return drop_handed(ctx, record, device, DROP_NO_RUNTIME);
	return likely(within_budget(INLET * MAX_QUEUES, share, places)) ? bpf_redirect(interface, 0) : drop_handed(ctx, record, device, DROP_OVERRUN);
}

/* The element number of a probe: once it arrives, everything sent before it has arrived too (load/devices/inlet.py). */
#define HANDOVER_PROBE 0xffff

/* At the inlet's other end. During a hot swap the record may belong to the other configuration: the runtime compares the hash. */
SEC("xdp.frags")
int inlet(struct xdp_md *ctx)
{
	const struct handover *record = (void *)(long)ctx->data;
	void *end = (void *)(long)ctx->data_end;
	__u32 queue = ctx->rx_queue_index;

	if ((void *)(record + 1) > end)
		return XDP_DROP;
	if (record->element == HANDOVER_PROBE)
		return XDP_PASS;
	if (queue < MAX_QUEUES && bpf_redirect_map(&xsks, INLET * MAX_QUEUES + queue, XDP_DROP) == XDP_REDIRECT)
		return XDP_REDIRECT;
	keep_apart();
	if (record->hash == ROUTER_HASH && record->element < ELEMENTS)
		drop(record->element, DROP_NO_RUNTIME);
	return XDP_DROP;
}

/* Put VLAN tags, which Linux has moved from the frame to the skb, back into the frame. Returns their number, or -1 minus the reason
 * to drop the packet.
 */
__attribute__((noinline)) int restore_tags(struct CONTEXT *ctx)
{
	__be32 tag[MOST_TAGS] = {};
	void *data, *end;
	int tags = 0;

	/* Popping the skb's tag makes the kernel pop the next one from the frame into its place, so pop all of them before writing
	 * any back.
	 */
	for (int i = 0; i < MOST_TAGS && ctx->vlan_present; i++) {
		tag[i] = (ctx->vlan_proto & 0xffff) | (__u32)htons(ctx->vlan_tci) << 16;
		/* This also fails if the next tag is truncated; it then stays in the frame. */
		if (bpf_skb_vlan_pop(ctx) && ctx->vlan_present)
			return -1 - DROP_NO_MEMORY;
		tags++;
	}
	if (ctx->vlan_present)
		return -1 - DROP_MALFORMED;
	for (int i = MOST_TAGS - 1; i >= 0; i--) {
		if (i >= tags)
			continue;
		if (bpf_skb_change_head(ctx, sizeof(*tag), 0))
			return -1 - DROP_NO_HEADROOM;
		frame_bounds(ctx, data, end);
		if (data + ETH_HLEN + sizeof(*tag) > end)
			return -1 - DROP_MALFORMED;
		word32(data) = word32(data + 4);
		word32(data + 4) = word32(data + 8);
		word32(data + 8) = word32(data + 12);
		word32(data + 12) = tag[i];
	}
	return tags;
}

/* Make linear what elements may read. False if there is no memory. */
static __always_inline bool straighten(struct CONTEXT *ctx)
{
	__u32 wanted = ctx->len;
	long first, last;

	if (ctx->gso_size && wanted > HEADERS)
		wanted = HEADERS;
	frame_bounds(ctx, first, last);
	return last - first >= wanted || !bpf_skb_pull_data(ctx, wanted);
}

/* Set p->joined for a GSO packet. False if elements can't treat it as one packet. */
static __always_inline bool join(struct pkt *p, struct CONTEXT *ctx)
{
	__u32 each = ctx->gso_size;
	int payload = find_payload(ctx, device_is_l3(p->device));

	pkt_load(p);
	if (!payload || !each)
		return false;
	p->joined.payload = payload;
	p->joined.each = each;
	p->joined.more = (__u32)(p->size - payload - 1) / each;
	return true;
}

/* Whether a received packet is one that the router itself has sent back in, for Linux or for packet sockets. */
static __always_inline bool is_sent_back_in(struct CONTEXT *ctx)
{
	if (unlikely(ctx->mark == tohost_mark)) {
		ctx->mark = 0;
		return true;
	}
	return unlikely(ctx->mark == sniffers_mark);
}

/* Whether a packet at egress comes from the router, and not from Linux: sent by it, or on its way back in at this device. */
static __always_inline bool is_not_from_linux(struct CONTEXT *ctx)
{
	if (ctx->tc_index == NOT_FROM_LINUX) {
		ctx->tc_index = 0;
		return true;
	}
	return unlikely(ctx->mark == tohost_mark || ctx->mark == sniffers_mark);
}

/* Take in a device's packet, for `element`. With `bears`, all element classes on the kernel path have the trait BEARS_OFFLOADS;
 * otherwise packets with offloads go to the runtime. False, with the program's verdict, if the kernel path is done with the packet.
 */
static __always_inline bool enter(struct pkt *p, struct CONTEXT *ctx, __u32 device, int *verdict, __u32 element, __u32 share,
				  bool bears)
{
	int tags;

	*verdict = TC_ACT_UNSPEC;
	if (device_is_outbound(device) ? is_not_from_linux(ctx) : is_sent_back_in(ctx))
		return false;
	tags = ctx->vlan_present ? restore_tags(ctx) : 0;
	if (tags >= 0 && !straighten(ctx))
		tags = -1 - DROP_NO_MEMORY;
	if (unlikely(tags < 0)) {
		tags = -1 - tags;
		/* Keep clang from testing restore_tags()'s value instead of `tags`: the verifier would lose the bound of `tags`. */
		asm volatile("" : "+r"(tags));
		*verdict = drop(element, tags);
		return false;
	}
	*verdict = TC_ACT_SHOT;
	if (!arrive(p, ctx) || !describe(p, device))
		return false;
	p->link = device_is_l3(device) ? 0 : ETH_HLEN + 4 * tags;
	if (ctx->gso_size ? bears && join(p, ctx) : bears || !is_unfinished(ctx)) {
		pkt_load(p);
		return true;
	}
	*verdict = hand_over(p, element, 0, share);
	return false;
}


GLOBALS
