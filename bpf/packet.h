/* The kernel's side of the packet interface (see element.h): what XDP (xdp.h) and TC (tc.h) have in common.
 *
 * A packet is described by offsets into its frame, in a local variable that clang splits into scalars. On a fused path the offsets
 * are compile-time constants, so Strip(14) costs nothing, and EtherEncap after it overwrites the old header; the frame itself moves
 * only when a header doesn't fit, and on leaving.
 */
#pragma once

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define USERSPACE 0

/* Between FUNCTIONS and GLOBALS, variables have no debug information: describing local variables in every inlined copy would take a
 * third of clang's time, and BTF has no use for them. It keeps line numbers, and types of functions, maps and globals.
 */
#define FUNCTIONS _Pragma("clang attribute push(__attribute__((nodebug)), apply_to = variable(unless(is_parameter)))")
#define GLOBALS _Pragma("clang attribute pop")

/* Nanoseconds by which CLOCK_TAI is ahead of CLOCK_REALTIME. Programs can read only the former. */
extern volatile __u64 tai_ahead;
extern const volatile __u32 slots;

FUNCTIONS

#define NO_HEADER (-32768)
#define MAX_OFFSET 0x3fff

#ifdef HOOK_TC
#define CONTEXT __sk_buff
/* TCP segments that GRO or GSO has joined into one packet, with one header. */
struct joined {
	__u32 more;		/* segments besides the first */
	__u32 each;		/* bytes of data in one of them; the last may have fewer */
	int payload;		/* where the data begins, from the frame's start */
};
#else
#define CONTEXT xdp_md
struct joined {
};
#endif

struct pkt {
	struct CONTEXT *ctx;
	void *data, *end;	/* the frame, or as much of it as can be seen */
	long size;		/* of the frame in bytes */
	long known;		/* bytes at the frame's start that were checked to exist; used while it is a compile-time constant */
	int off;		/* the packet starts at data + off */
	long trim;		/* bytes at the frame's end that no longer belong to the packet */
	int mac, net, trans;	/* headers, from `data`; NO_HEADER if unset */
	int device;
	struct counters *counters;	/* this CPU's values of all per-thread state, where that is in one map */
	struct joined joined;
	int link;		/* on TC: skb's link header in bytes; an L3 device strips them */
	bool unseen;		/* an element asked for bytes outside the linear part */
	__u64 start;		/* the first bytes of the frame as received: they determine the packet's type ... */
	__u8 type;		/* ... unless that was set */
	bool typed;
	bool plain;		/* see pkt_is_plain() */
	bool configured;	/* settings have the configuration's values (plain.h) */
	bool noted;		/* the annotation PAINT was set to a setting (pkt_note_setting) ... */
	__u8 noted_value;	/* ... with this value in the configuration ... */
	const __u8 *noted_at;	/* ... and its current value here */
	__u8 ip;		/* the version of the IP header at `net`, where it is known, or 0 */
	bool bare;		/* it has no options, or it is IPv6 and no extension header follows it */
	bool common;		/* it is IPv6, with two ordinary addresses (ip6/ip6.h) */
	bool made;		/* the router has made it: `device` has only lent its frame */
	bool traced;		/* it is traced (traced.h) ... */
#ifdef TRACED
	__u64 since;		/* time of the last report */
#endif
	union {
		struct {
			__u8 anno[ANNO_SIZE];
			__u64 timestamp;	/* nanoseconds since 1970, or NO_TIME */
			__u32 trace;		/* ... under this number, */
			__u32 spent;		/* nanoseconds after the report before */
		};
		__u8 carried[CARRIED_SIZE];
	} __attribute__((aligned(8)));
};

/* clang merges equal helper calls on different maps, and the verifier can't inline a call for several maps: a different number
 * after every call keeps them separate.
 */
#define keep_apart() asm volatile("" ::"i"(__COUNTER__))

static __always_inline __u32 pkt_len(struct pkt *p)
{
	return p->size - p->off - p->trim;
}

/* Marks code that few packets reach: keeps clang from computing values for it in advance for all packets. */
#define rarely() keep_apart()

/* word & bits, as the single instruction JSET: clang would make three. */
#define any_bit(word, bits)                                                                         \
	({                                                                                          \
		__label__ found_;                                                                   \
		bool any_ = true;                                                                   \
		asm goto("if %0 & %1 goto %l2" : : "w"((__u32)(word)), "i"((int)(bits)) : : found_); \
		any_ = false;                                                                       \
	found_:                                                                                     \
		any_;                                                                               \
	})

#include "plain.h"
#ifdef HOOK_TC
#include "tc.h"
#else
#include "xdp.h"
#endif

static __always_inline void pkt_init(struct pkt *p, struct CONTEXT *ctx)
{
	__builtin_memset(p, 0, sizeof(*p));
	p->ctx = ctx;
	p->mac = p->net = p->trans = NO_HEADER;
	p->timestamp = NO_TIME;
	pkt_load(p);
}

/* Remember bytes that were checked, so that later elements on a fused path needn't check again. */
static __always_inline bool pkt_is_known(struct pkt *p, long end)
{
	return __builtin_constant_p(end <= p->known) && end <= p->known;
}

static __always_inline void pkt_note_known(struct pkt *p, long end)
{
	if (!pkt_is_known(p, end))
		p->known = end;
}

/* `length` bytes at offset `start` of the frame, or NULL if they don't all belong to the packet. */
static __always_inline void *pkt_frame_at(struct pkt *p, int start, __u32 length)
{
	void *at = p->data;

	if (__builtin_constant_p(start) && __builtin_constant_p(length)) {
		at += start;
		if (pkt_is_known(p, start + (long)length))
			return at;
	} else {
		if (start < 0 || start > MAX_OFFSET || length > MAX_OFFSET)
			return NULL;
		/* The verifier loses a range when clang recomputes the pointer: make it opaque. The mask repeats, for the
		 * register that is added, what was just tested; clang, which may have tested another register, would remove it.
		 */
		asm volatile("" : "+r"(start));
		start &= MAX_OFFSET;
		at += start;
		asm volatile("" : "+r"(at));
	}
	if (at + length > p->end) {
		pkt_note_unseen(p, start + (long)length);
		return NULL;
	}
	if (!(__builtin_constant_p(p->trim) && p->trim == 0) &&
	    (long)length + start > p->size - p->trim)
		return NULL;
	if (__builtin_constant_p(start) && __builtin_constant_p(length))
		pkt_note_known(p, start + (long)length);
	return at;
}

static __always_inline void *pkt_data(struct pkt *p, __u32 offset, __u32 length)
{
	return pkt_frame_at(p, p->off + (int)offset, length);
}

static __always_inline void *pkt_header_at(struct pkt *p, int header, __u32 offset, __u32 length)
{
	if (header == NO_HEADER)
		return NULL;
	return pkt_frame_at(p, header + (int)offset, length);
}

#define pkt_mac_header(p, length) pkt_header_at(p, (p)->mac, 0, length)
#define pkt_network_header(p, length) pkt_header_at(p, (p)->net, 0, length)
#define pkt_transport_header(p, length) pkt_header_at(p, (p)->trans, 0, length)
#define pkt_network_data(p, offset, length) pkt_header_at(p, (p)->net, offset, length)
#define pkt_transport_data(p, offset, length) pkt_header_at(p, (p)->trans, offset, length)

/* Remember what an element has found out about the IP header; forgotten when the header is set or may have been written. */
static __always_inline void pkt_note_ip(struct pkt *p, __u8 version, bool is_bare)
{
	p->ip = version;
	p->bare = is_bare;
	p->common = false;
}

#define pkt_note_common(p) ((void)((p)->common = true))

#define pkt_forget_header(p) pkt_note_ip(p, 0, false)
#define pkt_ip_version(p) ((p)->ip)
#define pkt_is_bare(p) ((p)->bare)
#define pkt_is_common(p) ((p)->common)

/* Where the packet's byte `n` is in its frame. */
#define pkt_place(p, n) ((p)->off + (int)(n))

#define pkt_has_mac_header(p) ((p)->mac != NO_HEADER)
#define pkt_has_network_header(p) ((p)->net != NO_HEADER)
#define pkt_has_transport_header(p) ((p)->trans != NO_HEADER)
#define pkt_mac_offset(p) ((p)->mac - (p)->off)
#define pkt_network_offset(p) ((p)->net - (p)->off)
#define pkt_transport_offset(p) ((p)->trans - (p)->off)
#define pkt_set_mac_header(p, offset) ((void)((p)->mac = pkt_place(p, offset)))
#define pkt_set_network_header(p, offset) (pkt_forget_header(p), (void)((p)->net = pkt_place(p, offset)))
#define pkt_set_transport_header(p, offset) ((void)((p)->trans = pkt_place(p, offset)))

/* The packet type, by the address at the frame's start: the device's, or another. */
static __always_inline __u8 packet_type(__u64 start, __u32 device);

static __always_inline __u8 pkt_type(struct pkt *p)
{
	return p->typed ? p->type : packet_type(p->start, p->device);
}

/* Tests the group bit of the destination; devices' own addresses don't have it. */
static __always_inline bool pkt_is_to_group(struct pkt *p)
{
	if (p->typed)
		return p->type == PACKET_BROADCAST || p->type == PACKET_MULTICAST;
	return any_bit(p->start, 1);
}

static __always_inline void pkt_set_type(struct pkt *p, __u8 type)
{
	p->type = type;
	p->typed = true;
}
#define pkt_device(p) ((p)->made ? -1 : (p)->device)

#define pkt_is_plain(p) ((p)->plain)
#define pkt_is_configured(p) ((p)->configured)
#define pkt_is_trimmed(p) ((p)->trim)

/* Record what is known of a plain packet whose network header, of `length` bytes, has just been set. */
static __always_inline void pkt_mark_plain(struct pkt *p, __u32 length)
{
	p->trim = 0;
	p->trans = p->net + (int)length;
}

/* The caller has checked that the packet has this many bytes; trimming since then has not removed them. */
static __always_inline void pkt_assure(struct pkt *p, __u32 length)
{
	pkt_note_known(p, p->off + (long)length);
}

static __always_inline bool pkt_pull(struct pkt *p, __u32 n)
{
	if (!pkt_is_known(p, p->off + (long)n) && (pkt_len(p) < n || n > MAX_OFFSET))
		return false;
	p->off += n;
	return true;
}

static __always_inline void pkt_cut(struct pkt *p, __u32 n)
{
	/* Make clang keep the difference, and not the two lengths that it comes from. */
	asm("" : "+r"(n));
	p->known = 0;
	p->trim += n;
}

static __always_inline bool pkt_trim(struct pkt *p, __u32 length)
{
	__u32 now = pkt_len(p);

	if (now < length)
		return false;
	pkt_cut(p, now - length);
	return true;
}

/* Move the frame's start by `delta` bytes, and adjust all offsets to match. */
static __always_inline bool pkt_move_start(struct pkt *p, int delta)
{
	if (!frame_move_start(p, delta))
		return false;
	keep_apart();
	pkt_load(p);
	p->off -= delta;
	if (p->mac != NO_HEADER)
		p->mac -= delta;
	if (p->net != NO_HEADER)
		p->net -= delta;
	if (p->trans != NO_HEADER)
		p->trans -= delta;
	joined_move(&p->joined, delta);
	frame_note_moved(p, delta);
	return true;
}

static __always_inline bool pkt_push(struct pkt *p, __u32 n)
{
	if (p->off < (int)n && !pkt_move_start(p, p->off - (int)n))
		return false;
	p->off -= n;
	return true;
}

/* Make the frame equal to the packet, before it leaves. */
static __always_inline bool pkt_settle(struct pkt *p)
{
	if (p->off && !pkt_move_start(p, p->off))
		return false;
	if (p->trim && !frame_cut(p->ctx, p->size, p->trim))
		return false;
	keep_apart();
	return true;
}

#ifdef SIMULATED_TIME
/* In objects for tests: the runtime's time, which the test controls (tested.h). */
static __always_inline __u64 now(void);
#define now_coarse() now()
#define wall_clock() now()
#else
static __always_inline __u64 now(void)
{
	return bpf_ktime_get_ns();
}

static __always_inline __u64 now_coarse(void)
{
	return bpf_ktime_get_coarse_ns();
}

static __always_inline __u64 wall_clock(void)
{
	return bpf_ktime_get_tai_ns() - tai_ahead;
}
#endif

/* The clock is only read when an element asks for the packet's time; the value is kept. */
static __always_inline __u64 pkt_timestamp(struct pkt *p)
{
	if (p->timestamp == NO_TIME)
		p->timestamp = wall_clock();
	return p->timestamp;
}
static __always_inline __u64 pkt_peek_timestamp(const struct pkt *p)
{
	return p->timestamp == NO_TIME ? wall_clock() : p->timestamp;
}
#define pkt_set_timestamp(p, time) ((void)((p)->timestamp = (time)))
#define pkt_arrive_now(p) ((void)((p)->timestamp = NO_TIME))

static __always_inline void pkt_renew(struct pkt *p)
{
	__builtin_memset(p->anno, 0, ANNO_SIZE);
	pkt_forget_setting(p);
	p->mac = p->net = p->trans = NO_HEADER;
	pkt_forget_header(p);
	pkt_arrive_now(p);
	p->made = true;
	pkt_set_type(p, PACKET_HOST);
}

static __always_inline __u32 random_u32(void)
{
	return bpf_get_prandom_u32();
}

#include "state.h"

/* Runtime only. Calls to these vanish from kernel programs as dead code; an object that still refers to one doesn't load. */
void emit_(struct pkt *p, int port);
struct pkt *pkt_new(__u32 headroom, __u32 length);
struct pkt *pkt_clone(struct pkt *p);
void pkt_free(struct pkt *p);
bool pkt_put(struct pkt *p, __u32 n);
void task_schedule(void);
void timer_after(__u64 ns);
#define emit(p, port) emit_(p, port)
#define emit_copy(p, port) emit_(p, port)

GLOBALS
