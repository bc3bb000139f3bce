/* The runtime's side of the packet interface (see element.h).
 *
 * The compiler emits the functions behind these macros for each element; functions common to all elements are in pkt.h, thread.h
 * and device.h.
 */
#pragma once

#include "device.h"
#include "drops.h"
#include "lock.h"
#include "pkt.h"
#include "router.h"
#include "runtime_element.h"
#include "trace.h"

#define USERSPACE 1

/* GSO packets exist on the kernel path only. */
#define pkt_packets(p) 1
#define pkt_bytes(p) pkt_len(p)
#define pkt_longest(p) pkt_len(p)
#define pkt_is_offloaded(p) false
#define pkt_is_unseen(p) false
/* Hints for clang on the kernel path. */
#define pkt_assure(p, length) ((void)0)
#define pkt_is_plain(p) false
#define pkt_is_trimmed(p) false
#define pkt_cut_frame(p, n) false
#define pkt_mark_plain(p, length) ((void)0)
#define pkt_note_ip(p, version, is_bare) ((void)0)
#define pkt_ip_version(p) 0
#define pkt_is_bare(p) false
#define pkt_is_configured(p) false
#define pkt_note_setting(p, offset, now, configured) ((void)0)
#define pkt_note_common(p) ((void)0)
#define pkt_is_common(p) false
#define rarely() ((void)0)
#define any_bit(word, bits) (((word) & (bits)) != 0)

static __always_inline bool pkt_is_to_group(const struct pkt *p)
{
	return p->type == PACKET_BROADCAST || p->type == PACKET_MULTICAST;
}

#define this_processor() this_thread()

#define emit(p, port) SELF(emit)(p, port)
#define emit_copy(p, port)                                         \
	do {                                                       \
		struct pkt *copy_ = pkt_clone_or_count(p, SELF(index)); \
		if (likely(copy_))                                 \
			SELF(emit)(copy_, port);                   \
	} while (0)
#define pull(port) SELF(pull_input)(port)
#define task_schedule() task_wake(SELF(task_state))
#define task_is_here() (!CONCURRENT || thread_of(SELF(task_state)) == current)
#define task_schedule_all()                                                                       \
	do {                                                                                      \
		for (int i_ = 0; i_ < SELF(tasks); i_++)                                          \
			task_wake(SELF(task_state) + i_);                                         \
	} while (0)
#define timer_after(ns) timer_start(&SELF(timer_state), now() + (ns))
#define timer_at(when) timer_start(&SELF(timer_state), when)
#define timer_clear() timer_cancel(&SELF(timer_state))
#define lock() SELF(lock)()
#define unlock() SELF(unlock)()
#define watch(fd, events) poll_watch(SELF(event_state).thread, fd, events, &SELF(event_state).source)
#define wake_pullers() SELF(wake_pullers)()
#define wake_pushers() SELF(wake_pushers)()

/* What storage elements report to other elements:
 *	downstream_full()		every storage that this element's output leads to is full (false if there is none)
 *	watched_length()		packets in the storages that its Python `watches()` names, or else in the nearest ones
 *	watched_room()		how many more packets the fullest of them takes (~0u if there are none)
 */
#define watched_length() SELF(watched_length)()
#define watched_room() SELF(watched_room)()
#define downstream_full() SELF(downstream_full)()

/* For agnostic classes, whose action may depend on whether a port is push or pull. */
#define output_is_push(port) ((SELF(push_outputs) >> (port)) & 1)
#define input_is_push(port) ((SELF(push_inputs) >> (port)) & 1)
#define output_is_connected(port) ((SELF(connected_outputs) >> (port)) & 1)

/* Static variables of a class. */
#define LASTING(type, name) LASTING_IN(type, SELF(name), SELF(name##_own))
#define LASTING_IN(type, pointer, own) LASTING_AS(type, pointer, own)
/* Another element's pointer to its variable; that element's code, which defines the two, may follow later. */
#define LASTING_OF(type, pointer) static type *pointer LASTS

/* Drop a packet that the element holds, outside of actions, which return DROP(reason). */
#define discard(p, reason) pkt_drop(p, SELF(index), DROP_##reason)
/* Count drops of this element, for packets that it doesn't hold. */
#define lose(packets, reason) pkt_lose(packets, SELF(index), DROP_##reason)
/* Call `called(value)` of this element's Python object and return its result, a number. Handlers may run meanwhile. */
#define call_python(value) host_call(SELF(index), value)

#define PULL() static __always_inline struct pkt *SELF(pull_action)(const int output UNUSED)
#define TASK() static __always_inline bool SELF(task)(void)
#define TIMER() static void SELF(timer)(void)
#define EVENT() static void SELF(event)(void)
#define INIT() static int SELF(init)(void)
#define CLEANUP() static void SELF(cleanup)(void)
#define CONTROL() static int SELF(control)(const int op UNUSED, const __u64 argument UNUSED)
