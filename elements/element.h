/* The packet interface: everything that an element's C file may use.
 *
 * An element's file is compiled for both executors, once for each instance. Each executor has its own `packet.h`: bpf/packet.h for
 * the kernel path, userspace/packet.h for the runtime. This file documents both, and has their common part.
 *
 *	MARKED_ELEMENT(DecIPTTL, struct iphdr, ip)
 *	{
 *		...
 *		return OUTPUT(0);
 *	}
 *
 * is for a class whose packets need a marked network header, which is its `ip`; packets without one are dropped. For any packets it is
 * ELEMENT(Class).
 *
 * Inside, `p` is the packet, `input` the input port, and `cfg` the arguments as compile-time constants, by the lower-case names of
 * the Python declaration. SELF(x) is a name private to this instance: SELF(name) is the element's name, a string, SELF(ninputs) and
 * SELF(noutputs) are its numbers of ports, and SELF(NAME) is one of the class's `operations` of CONTROL, or a member of its
 * `enums`, shared with Python: sizes, bits. Multi-byte packet fields and be16/be32 values are in network byte order, everything else
 * in host order. Macros defined in the file are undefined after it. OTHER(recorder, take) is `take` of the element that the argument
 * RECORDER names; OTHER_recorder isn't defined if it names none. Declare it: the other element's code may come later.
 *
 * Result of an action: OUTPUT(port), DROP(REASON), COPIES(n), PUNT or STOLEN.
 *
 *   PUNT	the kernel path hands the packet over: the runtime runs this element again, on the packet as it was on entry. So return it
 *		before any change of packet or state. `if (!USERSPACE) return PUNT;` introduces a slow path: the code after it is dead code
 *		in the kernel. `return IN_USERSPACE(SELF(keep)(p));` is one whose functions only the runtime has.
 *   STOLEN	(runtime only) the element keeps the packet, or has freed it
 *
 *   SEND	(kernel only) the packet leaves by the transmit ring of the instance's device, `sends_to()` of its class
 *   TO_HOST	(kernel only; trait GIVES_TO_HOST) the packet goes up the Linux stack, as received on the device that it came
 *		from, or on one that the router has created (`device_is_made(device)`)
 *   COPIES(n)	(kernel only) the packet leaves by all outputs in item n of its class's `copies()`; without `copies_made()`,
 *		return PUNT instead
 *
 * Packet data, as in Linux: pull, push, trim. Offsets are relative to the current start of the data.
 *
 *   __u32 pkt_len(p)				bytes of the packet from the current start
 *   int pkt_place(p, n)				where the packet's byte `n` is in its frame or buffer
 *   void *pkt_data(p, offset, length)		`length` readable and writable bytes at `offset`, or NULL if the packet is shorter
 *   bool pkt_pull(p, n)			remove n bytes from the start; false (unchanged) if it is shorter
 *   bool pkt_push(p, n)			add n bytes (of undefined content) at the start; false (unchanged) if the kernel has no room:
 *						`return PUNT`
 *   void *pkt_prepend(p, n)			push n bytes, and return them; NULL (unchanged) if the kernel has no room: `return PUNT`
 *   bool pkt_begin(p, offset)			pull or push, so that the packet begins at `offset`
 *   bool pkt_trim(p, length)			cut the packet to `length` bytes; false (unchanged) if it is shorter
 *   void pkt_assure(p, length)			assert that the packet has `length` bytes, as the element has checked without pkt_data(): later
 *						elements on the kernel path needn't check again
 *   void pkt_cut(p, n)				remove n bytes from the end; the element has checked that the packet has them
 *   bool pkt_is_plain(p)			whether this is the element's path for plain packets, for which SELF(plain) in its C file is
 *						true (trait PARTS_PLAIN)
 *   void pkt_mark_plain(p, length)		assert that the network header, which was just set, has `length` bytes, that the transport header
 *						follows it, and that the packet ends with its frame
 *   void pkt_note_ip(p, version, is_bare)	record the network header's IP version and, with `is_bare`, that it has no options or extension
 *						headers. Forgotten after an element without the trait KEEPS_HEADER, which may write to
 *						the header.
 *   int pkt_ip_version(p), bool pkt_is_bare(p)	what was recorded, or 0
 *   void pkt_note_common(p)			likewise: the header is IPv6 with two ordinary addresses (ip6/ip6.h); pkt_is_common(p)
 *   void pkt_note_setting(p, offset, now, configured)	record that the annotation at `offset` was just set to the setting at `now`,
 *						whose value in the configuration is `configured`
 *   bool pkt_is_trimmed(p)			(kernel only) whether the frame is longer than the packet
 *   void *pkt_mac_header(p, length)		`length` bytes at the header annotation, or NULL if unset or too short
 *   void *pkt_network_header(p, length)
 *   void *pkt_transport_header(p, length)
 *   void pkt_set_mac_header(p, offset)		and _network_header, _transport_header
 *   bool pkt_has_mac_header(p)			and _network_header, _transport_header
 *   int pkt_mac_offset(p)			and _network_offset, _transport_offset: from the current start, may be negative
 *   void *pkt_network_data(p, offset, length)	`length` bytes, `offset` after the network header, or NULL
 *   void *pkt_transport_data(p, offset, length)	the same after the transport header
 *   __u8 pkt_type(p), pkt_set_type(p, type)	PACKET_HOST, PACKET_BROADCAST, PACKET_MULTICAST, PACKET_OTHERHOST
 *   bool pkt_is_to_group(p)			whether the type is PACKET_BROADCAST or PACKET_MULTICAST
 *   __u64 pkt_timestamp(p), pkt_set_timestamp(p, time)	nanoseconds since 1970, 0 for none; by default the time of the packet's arrival.
 *						For classes with TIMESTAMP in their `annotations`.
 *   __u64 pkt_peek_timestamp(p)		the same, in an element that may still PUNT, and that sets the timestamp if it doesn't
 *   pkt_arrive_now(p)				set the timestamp to the current time: for replies made of the packet that they answer
 *   pkt_device(p)				index of the device that the packet came from, or -1
 *   pkt_packets(p), pkt_bytes(p), pkt_longest(p)	the number of TCP segments in a GSO packet, their bytes together, and those of the
 *						longest; for other packets 1 and pkt_len(p). For classes with the trait BEARS_OFFLOADS.
 *   pkt_renew(p)				clear everything except the packet's bytes, as if it had just been created: it came from no
 *						device, has no header annotations, and its time is now
 *   pkt_is_offloaded(p)			whether the kernel still has to complete a checksum or segment the packet, so that its bytes must
 *						stay where they are: if so, PUNT before adding or removing bytes in front. Invalidates
 *						pointers into the packet.
 *   pkt_is_unseen(p)				whether, in the kernel, the element got NULL for bytes that exist but aren't linear: the packet
 *						will be handed over, whatever the result. Check before changing packet or state.
 *   pkt_can_leave_by(p, device)			(kernel only) whether SEND by a device, self_device(), or TO_HOST as received there is possible;
 *						otherwise PUNT
 *   device_is_l3(device)			whether packets of a device begin with their IP header: an L3 device, such as a tun
 *   pkt_can_leave_later(p, device, packets, ns)	(kernel only) whether the device can keep the packet for `ns`, with up to `packets`
 *						others; otherwise PUNT. For classes of the role Delayer.
 *   pkt_leave_at(p, time)			(kernel only) set the packet's departure time, by now()
 *   runtime_listens(p)			(kernel only) whether there is a runtime to hand the packet over to. Without one, an element may do
 *						what a PUNT would lead to as far as the kernel path can do it by itself
 *   __u32 random_u32(void)
 *   __u32 this_processor(void)			the number of the thread; in the kernel, of the CPU, unless threads are CPUs (--spread)
 *   __u64 now(void)				nanoseconds since boot (simulated time under --simtime)
 *   __u64 wall_clock(void)			nanoseconds since 1970 (simulated time likewise)
 *   __u64 now_coarse(void)			the same to some milliseconds, at half the cost or less
 *
 *   word16(at), word32(at), word64(at)		a word in the packet, readable and writable, at any alignment
 *   bool any_bit(word, bits)			whether any of the constant `bits` is set in a 32-bit word
 *   opaque(variable)				make clang compute the variable here, and forget how
 *   ether_copy(to, from)			the 6 bytes of an Ethernet address
 *   ether_fill(header, to, ether_rest(from, type))	a whole Ethernet header
 *
 * State, by the names of the Python declaration. Only at() can be NULL:
 *
 *   slot(counters)	this CPU's or thread's value of a PerThread. Needs a packet `p`, as count() does
 *   at(routes, i)	value i of an Array, NULL if out of range
 *   var(vars)		the value of Vars
 *   private(queue)	the value of Private (runtime only)
 *   read_once(place), write_once(place, value)	for values that others access concurrently, without a lock
 *   read_in_order()			what is read before it is read before what is read after it (BPF has no such operation: there it
 *					only holds the compiler back, which is enough on x86)
 *   setting(value, field)	an argument that handlers can change: `field` of a Vars value has the argument's name and current value. As
 *				long as no handler has changed a setting, the kernel's path for plain packets uses the argument as a
 *				constant (pkt_is_configured(p)).
 *   count(counters, field, n)	add to a field of this CPU's or thread's value, unless pkt_is_unseen()
 *
 * Reserved names, which a class's file must not define: SELF(emit), push, pull, pull_input, leave, action, inside, lock, unlock,
 * task, timer, tasks, event, init, cleanup, control, config, name, ninputs, noutputs, device, copy, copies, gives_up, marked and
 * SELF(<state>_at).
 *
 * Runtime only (link errors in a kernel program, so use them after `if (!USERSPACE) return PUNT;` or in a USER class):
 *
 *   void emit(p, port)			push a packet to one of this element's outputs, besides the action's result. The receiving elements
 *					run at once; on a cycle of the graph this includes this element's own action, unless the class has
 *					state other than PerThread (and, for kernel classes, Vars)
 *   void emit_copy(p, port)		push a copy, annotations included; without memory the copy is a drop for NO_MEMORY
 *   struct pkt *pull(port)		pull a packet from one of this element's inputs, or NULL
 *   struct pkt *pkt_new(headroom, length)	a fresh packet of `length` undefined bytes, no annotations; NULL when out of memory
 *   struct pkt *pkt_clone(p)			a copy, annotations included
 *   void pkt_take_annotations(p, from)	copy another packet's annotations, except those of headers, to a packet made from it
 *   void pkt_free(p)
 *   bool pkt_put(p, n)			add n bytes (of undefined content) at the end
 *   bool secret_bytes(to, n)		n random bytes that nobody can predict, for keys and initialisation vectors; false if there are none
 *   struct pkt *p->next		for use by the element that holds the packet
 *   void task_schedule(void)		run this element's TASK soon; task_schedule_all(void) if it has several (task_count())
 *   bool task_is_here(void)		whether this thread runs this element's TASK
 *   void timer_after(ns)		run this element's TIMER once; timer_clear(void)
 *   int watch(fd, WATCH_READ | WATCH_WRITE)	run this element's EVENT as long as the descriptor can be read or written; 0 ends it
 *   bool poll_writable(fd)		block until the descriptor can be written; false if the router ends first
 *   void wake_pullers(void)		notify downstream tasks that a pull output has packets again
 *   void wake_pushers(void)		notify upstream tasks that a push input has room again
 *   void wake_later(void (*wakeup)(void))	call a function that notifies others, if there are several threads once for several
 *					calls, or at the end of the thread's round
 *
 * A running router's code can be exchanged, for instance for optimised code, and static variables must survive that. So apart from
 * constants and state, which Python shares, variables are declared by one of these:
 *
 *   LASTING(struct table, tables);		SELF(tables) points to a struct table, zero unless a definition of SELF(tables_own) follows
 *   LASTING_OF(struct table, OTHER(table, tables));	the same of another element, which is in `works_on()`
 *   static __u8 SELF(buffer)[2048] SCRATCH;	content isn't needed after the call that writes it
 *
 * Threads. If several threads may enter an instance, its lock is held during ELEMENT, PULL, TASK and TIMER, but not while the action's
 * result is carried out. Classes with only PerThread state, and kernel classes with only PerThread and Vars (which run on many CPUs
 * anyway), have no lock. A class with the trait THREAD_SAFE isn't locked either, and takes the lock where it has to:
 *
 *   void lock(void), unlock(void)		this instance's lock; a thread may take it twice
 *   SELF(one_pushes)				of a storage with the trait TWO_SIDED: whether one thread at a time pushes. Then the side that
 *						pushes isn't locked; and neither side's lock keeps the other side out
 *   __u32 this_thread(void), thread_count(void)	the number of the thread, from 0, and how many there are
 *
 * Entry points besides ELEMENT. One that only calls task_schedule() is declared in the class's `wakes` instead:
 *
 *   PULL()		{ ... return packet or NULL; }		`output` is the port
 *   TASK()		{ ... return true if it did work; }	called while scheduled; call task_schedule() to run again
 *   TIMER()		{ ... }
 *   EVENT()		{ ... }					a watched descriptor is ready, or seems so: read without blocking
 *   INIT()		{ ... return 0 or -errno; }
 *   CLEANUP()		{ ... }
 *   CONTROL()		{ ... return 0 or -errno; }	called by the class's Python handlers between packets: `op`, `argument`
 *   GIVES_UP()		{ ... return true if ELEMENT would PUNT the packet `p`; }	(kernel only) for classes with the trait LOOKS:
 *						called before the first of several copies is sent
 */
#pragma once

#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/ip.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define PASTE_(a, b) a##_##b
#define PASTE(a, b) PASTE_(a, b)
#define SELF(x) PASTE(SELF_NAME, x)
#define OTHER(argument, x) PASTE(OTHER_##argument, x)
#define cfg SELF(config)
/* Index of the instance's device (own_device in plan/devices.py), or -1. */
#define self_device() SELF(device)

#ifndef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#endif
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
/* For parameters that not every class uses. */
#define UNUSED __attribute__((unused))

/* Otherwise clang may keep the operands, and compute the value again at each use. */
#define opaque(variable) asm("" : "+r"(variable))

#define htons(x) __builtin_bswap16(x)
#define htonl(x) __builtin_bswap32(x)
#define htonll(x) __builtin_bswap64(x)
#define ntohll(x) __builtin_bswap64(x)
#define ntohs(x) __builtin_bswap16(x)
#define ntohl(x) __builtin_bswap32(x)
#define IPV4(a, b, c, d) htonl((__u32)(a) << 24 | (b) << 16 | (c) << 8 | (d))

#define OUTPUT(port) (port)
#ifndef PUNT	/* tests redefine it, to find each PUNT */
#define PUNT (-1)
#endif
#define STOLEN (-2)
#define SEND (-3)
#define TO_HOST (-4)
#define DROP(reason) RARELY(DROP_RESULT(DROP_##reason))
/* For a packet whose pkt_network_header() is NULL. */
#define DROP_WITHOUT_HEADER(p) (pkt_has_network_header(p) ? DROP(MALFORMED) : DROP(UNMARKED))
/* Marks a rare result. */
#define RARELY(result) ({ rarely(); (result); })
#define COPIES(n) (-1024 - (n))

#include "annotations.h"
#include "packet.h"

/* The result of an action that only the runtime can do, and defines; the kernel path hands the packet over. */
#if USERSPACE
#define IN_USERSPACE(result) (result)
#else
#define IN_USERSPACE(result) PUNT
#endif

static __always_inline __be32 pkt_dst_ip(struct pkt *p)
{
	return pkt_anno_u32(p, DST_IP_ANNO);
}

static __always_inline void pkt_set_dst_ip(struct pkt *p, __be32 address)
{
	pkt_set_anno_u32(p, DST_IP_ANNO, address);
}

/* Make the packet begin `offset` bytes from its current start, which may be before it; false (unchanged) as pkt_pull() and pkt_push(). */
static __always_inline bool pkt_begin(struct pkt *p, int offset)
{
	return offset < 0 ? pkt_push(p, -offset) : pkt_pull(p, offset);
}

/* Add n bytes at the start, and return them; NULL (unchanged) if the kernel has no room, or can't see them: `return PUNT`. */
static __always_inline void *pkt_prepend(struct pkt *p, __u32 n)
{
	void *header;

	if (!pkt_push(p, n))
		return NULL;
	header = pkt_data(p, 0, n);
#if !USERSPACE
	if (!header)
		p->off += n;
#endif
	return header;
}

#define count(state, field, n)                       \
	do {                                         \
		if (!pkt_is_unseen(p))               \
			slot(state)->field += (n);   \
	} while (0)

#ifndef slot
#define slot(state) SELF(state##_at)(this_slot())
#endif
#if USERSPACE
#define read_once(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define write_once(place, value) __atomic_store_n(&(place), value, __ATOMIC_RELAXED)
#define read_in_order() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#else
#define read_once(place) (*(volatile __typeof__(place) *)&(place))
#define write_once(place, value) ((void)(*(volatile __typeof__(place) *)&(place) = (value)))
#define read_in_order() asm volatile("" ::: "memory")
#endif
#define setting(value, field) (pkt_is_configured(p) ? (__typeof__((value)->field))cfg.field : (value)->field)
#define at(state, index) SELF(state##_at)(index)
#define var(state) SELF(state##_at)(0)
#define private(state) SELF(state##_at)(0)

/* Unaligned words. For BPF, clang would compile memcpy() to a store for each byte. */
#define word16(at) (*(__u16 *)(at))
#define word32(at) (*(__u32 *)(at))
#define word64(at) (*(__u64 *)(at))

static __always_inline void ether_copy(void *to, const void *from)
{
	word32(to) = *(const __u32 *)from;
	word16((char *)to + 4) = *(const __u16 *)((const char *)from + 4);
}

/* Write an Ethernet header in two stores: the destination is the first six bytes of `to` in memory, source and type are `rest`. */
static __always_inline void ether_fill(void *header, __u64 to, __u64 rest)
{
	word64(header) = to;
	word64((char *)header + 6) = rest;
}

/* `rest` for ether_fill(): six bytes of source, and a type in network byte order. */
static __always_inline __u64 ether_rest(const __u8 *from, __be16 type)
{
	return *(const __u32 *)from | (__u64)*(const __u16 *)(from + 4) << 32 | (__u64)type << 48;
}

#define ELEMENT(class) static __always_inline int SELF(action)(struct pkt *p UNUSED, const int input UNUSED)
#define MARKED_ELEMENT(class, type, header)                                                              \
	static __always_inline int SELF(marked)(struct pkt *p UNUSED, const int input UNUSED, type *header); \
	ELEMENT(class)                                                                                   \
	{                                                                                                \
		type *header = pkt_network_header(p, sizeof(*header));                                   \
                                                                                                         \
		return header ? SELF(marked)(p, input, header) : DROP_WITHOUT_HEADER(p);                 \
	}                                                                                                \
	static __always_inline int SELF(marked)(struct pkt *p UNUSED, const int input UNUSED, type *header UNUSED)
#define GIVES_UP() static __always_inline UNUSED bool SELF(gives_up)(struct pkt *p UNUSED, const int input UNUSED)
#if USERSPACE
#define copies_made() false
#else
#define copies_made() SELF(copies)
#endif
