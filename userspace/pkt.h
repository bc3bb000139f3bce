/* A packet of the runtime, and the part of the runtime's packet interface (see element.h) that doesn't depend on an element.
 *
 * A packet and a buffer of 2 kB are one allocation, taken from the thread's pool. A longer packet, or one whose
 * headers outgrow the buffer, has a buffer of its own. Header annotations count from the buffer's start.
 *
 * One thread may free the packets that another allocates. So a thread keeps less than two batches of free packets, puts further
 * batches into the runtime's store, and takes from the store before it allocates. A free packet isn't touched: what another thread
 * has in its cache moves only once, before the packet is used.
 */
#pragma once

#include <limits.h>
#include <string.h>
#include "thread.h"

#if ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

#define PKT_ROOM 2048			/* bytes of the packet's own buffer */
#define PKT_HEADROOM 256		/* in front of the data of a packet that arrives */
#define PKT_MAX (64 * 1024 + 512)	/* bytes of the largest buffer */
#define NO_HEADER INT_MIN

struct pkt {
	struct pkt *next;
	__u8 *data, *tail;	/* the packet */
	__u8 *head, *end;	/* its buffer */
	int mac, net, trans;	/* headers, from `head`; NO_HEADER if unset */
	__s16 device;
	__u8 type;
	__u8 port;		/* of `element`, for a deferred packet */
	__u16 element;		/* where a deferred packet continues, or the element that sends it */
	union {
		struct {
			__u8 anno[ANNO_SIZE];
			__u64 timestamp;	/* nanoseconds since 1970, 0 if unset */
			__u32 trace;		/* the number of a traced packet (trace.h), or 0 */
			__u32 spent;		/* set by the kernel path (bpf/packet.h) */
		};
		__u8 carried[CARRIED_SIZE];
	} __attribute__((aligned(8)));
	__u8 room[PKT_ROOM] __attribute__((aligned(CACHE_LINE)));
};

static inline void pkt_list_add(struct pkt_list *list, struct pkt *p)
{
	p->next = NULL;
	*list->end = p;
	list->end = &p->next;
	list->length++;
}

/* Take the first packet off the list; NULL if there is none. */
static inline struct pkt *pkt_list_take(struct pkt_list *list)
{
	struct pkt *p = list->first;

	if (!p)
		return NULL;
	list->first = p->next;
	list->length--;
	if (!list->first)
		list->end = &list->first;
	return p;
}

/* The slow paths, in pkt.c. */
EXPORT struct pkt *pkt_provide(struct thread *thread);
EXPORT void pkt_put_by(struct thread *thread);
EXPORT bool pkt_own_buffer(struct pkt *p, __u32 headroom, __u32 length);
EXPORT bool pkt_grow(struct pkt *p, __u32 headroom, __u32 tailroom);
EXPORT void pkt_free_buffer(struct pkt *p);
EXPORT struct pkt *pkt_clone(struct pkt *p);
/* NULL if there is no memory; the copy is then counted as a drop of the element. */
EXPORT struct pkt *pkt_clone_or_count(struct pkt *p, __u32 element);
EXPORT void pkt_drop(struct pkt *p, __u32 element, __u32 reason);
/* Count drops of an element, for packets that it doesn't hold. */
EXPORT void pkt_lose(__u64 packets, __u32 element, __u32 reason);

/* The address sanitizer reports reads after the packet's end, even within the buffer. */
static __always_inline void pkt_fence(const struct pkt *p)
{
	ASAN_UNPOISON_MEMORY_REGION(p->head, p->tail - p->head);
	ASAN_POISON_MEMORY_REGION(p->tail, p->end - p->tail);
}

/* Have the packet in this CPU's cache soon: the structure, and the headers of a packet that has arrived. */
static __always_inline void pkt_prefetch(const struct pkt *p)
{
	prefetch_to_write(p);
	prefetch_to_write((const char *)p + CACHE_LINE);
	prefetch_to_write(p->room + PKT_HEADROOM);
}

static __always_inline struct pkt *pkt_new(__u32 headroom, __u32 length)
{
	struct thread *thread = current;
	struct pkt *p;

	if (likely(thread->spare && !ADDRESS_SANITIZER)) {
		p = thread->free[--thread->spare];
		if (CONCURRENT && thread->spare < thread->cold + PKT_AHEAD && thread->cold)
			pkt_prefetch(thread->free[--thread->cold]);
	} else if (!(p = pkt_provide(thread)))
		return NULL;
	p->head = p->room;
	p->end = p->room + PKT_ROOM;
	if (unlikely(headroom > PKT_ROOM || length > PKT_ROOM - headroom) && !pkt_own_buffer(p, headroom, length))
		return NULL;
	p->next = NULL;
	p->data = p->head + headroom;
	p->tail = p->data + length;
	pkt_fence(p);
	p->mac = p->net = p->trans = NO_HEADER;
	p->device = -1;
	p->type = 0;
	p->timestamp = 0;
	p->trace = 0;
	memset(p->anno, 0, sizeof(p->anno));
	return p;
}

static __always_inline void pkt_free(struct pkt *p)
{
	struct thread *thread = current;

	if (unlikely(p->head != p->room || ADDRESS_SANITIZER)) {
		pkt_free_buffer(p);
		if (ADDRESS_SANITIZER)
			return;
	}
	thread->free[thread->spare++] = p;
	if (unlikely(thread->spare == 2 * PKT_BATCH))
		pkt_put_by(thread);
}

static __always_inline __u32 pkt_len(const struct pkt *p)
{
	return p->tail - p->data;
}

/* `length` bytes at `start` from the buffer's start, or NULL beyond the packet's end. */
static __always_inline void *pkt_at(struct pkt *p, long start, __u32 length)
{
	if (unlikely(start < 0 || start + (long)length > p->tail - p->head))
		return NULL;
	return p->head + start;
}

static __always_inline void *pkt_data(struct pkt *p, __u32 offset, __u32 length)
{
	if (__builtin_constant_p(offset) && (int)offset >= 0)
		return likely((__u64)offset + length <= pkt_len(p)) ? p->data + offset : NULL;
	return pkt_at(p, (p->data - p->head) + (long)(int)offset, length);
}

static __always_inline void *pkt_header_at(struct pkt *p, int header, __u32 offset, __u32 length)
{
	return header == NO_HEADER ? NULL : pkt_at(p, (long)header + (int)offset, length);
}

#define pkt_mac_header(p, length) pkt_header_at(p, (p)->mac, 0, length)
#define pkt_network_header(p, length) pkt_header_at(p, (p)->net, 0, length)
#define pkt_transport_header(p, length) pkt_header_at(p, (p)->trans, 0, length)
#define pkt_network_data(p, offset, length) pkt_header_at(p, (p)->net, offset, length)
#define pkt_transport_data(p, offset, length) pkt_header_at(p, (p)->trans, offset, length)

/* Where the packet's byte `n` is in its buffer. */
#define pkt_place(p, n) (pkt_data_start(p) + (int)(n))

#define pkt_has_mac_header(p) ((p)->mac != NO_HEADER)
#define pkt_has_network_header(p) ((p)->net != NO_HEADER)
#define pkt_has_transport_header(p) ((p)->trans != NO_HEADER)

static __always_inline int pkt_data_start(const struct pkt *p)
{
	return p->data - p->head;
}

#define pkt_mac_offset(p) ((p)->mac - pkt_data_start(p))
#define pkt_network_offset(p) ((p)->net - pkt_data_start(p))
#define pkt_transport_offset(p) ((p)->trans - pkt_data_start(p))
#define pkt_set_mac_header(p, offset) ((void)((p)->mac = pkt_place(p, offset)))
#define pkt_set_network_header(p, offset) ((void)((p)->net = pkt_place(p, offset)))
#define pkt_set_transport_header(p, offset) ((void)((p)->trans = pkt_place(p, offset)))

#define pkt_type(p) ((p)->type)
#define pkt_set_type(p, value) ((void)((p)->type = (value)))
#define pkt_device(p) ((p)->device)
#define pkt_timestamp(p) ((p)->timestamp)
#define pkt_peek_timestamp(p) ((p)->timestamp)
#define pkt_set_timestamp(p, time) ((void)((p)->timestamp = (time)))
#define pkt_arrive_now(p) ((void)((p)->timestamp = wall_clock()))

static __always_inline bool pkt_pull(struct pkt *p, __u32 n)
{
	if (unlikely(pkt_len(p) < n))
		return false;
	p->data += n;
	return true;
}

static __always_inline bool pkt_push(struct pkt *p, __u32 n)
{
	if (unlikely(p->data - p->head < n) && !pkt_grow(p, n, 0))
		return false;
	p->data -= n;
	return true;
}

static __always_inline bool pkt_put(struct pkt *p, __u32 n)
{
	if (unlikely(p->end - p->tail < n) && !pkt_grow(p, 0, n))
		return false;
	p->tail += n;
	pkt_fence(p);
	return true;
}

static __always_inline void pkt_cut(struct pkt *p, __u32 n)
{
	p->tail -= n;
	pkt_fence(p);
}

static __always_inline bool pkt_trim(struct pkt *p, __u32 length)
{
	__u32 now = pkt_len(p);

	if (unlikely(now < length))
		return false;
	pkt_cut(p, now - length);
	return true;
}

/* Copy another packet's annotations, except those of headers, to a packet that was made from it. */
static inline void pkt_take_annotations(struct pkt *p, const struct pkt *from)
{
	p->device = from->device;
	p->type = from->type;
	p->timestamp = from->timestamp;
	memcpy(p->anno, from->anno, sizeof(p->anno));
}

/* Clear everything except the packet's bytes, as if it had just been created. */
static inline void pkt_renew(struct pkt *p)
{
	memset(p->anno, 0, sizeof(p->anno));
	p->mac = p->net = p->trans = NO_HEADER;
	p->device = -1;
	p->type = 0;
	pkt_arrive_now(p);
}

/* A packet that holds a copy of `bytes`, as if it had just arrived; NULL when out of memory. */
static __always_inline struct pkt *pkt_copy_in(const void *bytes, __u32 length)
{
	struct pkt *p = pkt_new(PKT_HEADROOM, length);

	if (likely(p))
		memcpy(p->data, bytes, length);
	return p;
}
