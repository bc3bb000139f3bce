/* Packet memory: the slow paths of the inline functions of pkt.h. */
#include <stdlib.h>
#include "pkt.h"
#include "runtime.h"
#include "runtime_element.h"
#include "trace.h"

/* A batch in the store is a list by `next`; the store is a list of batches by the first one's `data`. */
static struct pkt *store_take(struct pkt_store *store)
{
	struct pkt *batch;

	pthread_mutex_lock(&store->lock);
	batch = store->first;
	if (batch) {
		store->first = (struct pkt *)batch->data;
		store->batches--;
	}
	pthread_mutex_unlock(&store->lock);
	return batch;
}

static void store_put(struct pkt_store *store, struct pkt *batch)
{
	pthread_mutex_lock(&store->lock);
	batch->data = (__u8 *)store->first;
	store->first = batch;
	store->batches++;
	pthread_mutex_unlock(&store->lock);
}

static struct pkt *allocate(struct thread *thread)
{
	struct pkt *p = aligned_alloc(CACHE_LINE, sizeof(*p));

	if (p) {
		thread->allocated++;
		p->next = NULL;
	}
	return p;
}

/* Fill the thread's empty free list. Returns the first packet, or NULL when out of memory. */
struct pkt *pkt_provide(struct thread *thread)
{
	if (ADDRESS_SANITIZER)
		return allocate(thread);
	thread->free = thread->batch ?: store_take(&thread->runtime->store);
	thread->batch = NULL;
	thread->spare = PKT_BATCH;
	if (!thread->free) {
		thread->free = allocate(thread);
		thread->spare = thread->free ? 1 : 0;
	}
	return thread->free;
}

/* The free list has become a batch. */
void pkt_put_by(struct thread *thread)
{
	if (thread->batch)
		store_put(&thread->runtime->store, thread->batch);
	thread->batch = thread->free;
	thread->free = NULL;
	thread->spare = 0;
}

/* The number of free packets of the threads and the store. */
long pkt_count_spare(const struct runtime *runtime)
{
	long spare = runtime->store.batches * PKT_BATCH;

	for (__u32 i = 0; !ADDRESS_SANITIZER && i < runtime->threads; i++)
		spare += runtime->thread[i].spare + (runtime->thread[i].batch ? PKT_BATCH : 0);
	return spare;
}

#define BUFFERS_KEPT 256	/* free buffers of each size that a thread keeps */

/* Separate buffers have powers of two as sizes, with a free list for each size. */
static int buffer_class(size_t size)
{
	int class = 0;

	while (((size_t)BUFFER_MIN << class) < size)
		class++;
	return class;
}

static __u8 *buffer_new(struct thread *thread, size_t size)
{
	int class = buffer_class(size);
	struct buffer *buffer = thread->buffers[class];

	if (!buffer || ADDRESS_SANITIZER)
		return aligned_alloc(CACHE_LINE, (size_t)BUFFER_MIN << class);
	thread->buffers[class] = buffer->next;
	thread->buffered[class]--;
	return (__u8 *)buffer;
}

static void buffer_free(struct thread *thread, __u8 *head, size_t size)
{
	struct buffer *buffer = (struct buffer *)head;
	int class = buffer_class(size);

	if (ADDRESS_SANITIZER || thread->buffered[class] == BUFFERS_KEPT) {
		free(head);
		return;
	}
	buffer->next = thread->buffers[class];
	thread->buffers[class] = buffer;
	thread->buffered[class]++;
}

/* Give a fresh packet a buffer for `headroom` and `length` bytes; frees the packet if there is no memory. */
bool pkt_own_buffer(struct pkt *p, __u32 headroom, __u32 length)
{
	size_t size = (size_t)headroom + length;
	__u8 *head = size <= PKT_MAX ? buffer_new(current, size) : NULL;

	if (!head) {
		pkt_free(p);
		return false;
	}
	p->head = head;
	p->end = head + size;
	return true;
}

/* Move the packet to a larger buffer with at least this much room before and after its data. Bytes before the data (a MAC header
 * that was pulled) move along.
 */
bool pkt_grow(struct pkt *p, __u32 headroom, __u32 tailroom)
{
	size_t before = p->data - p->head, used = p->tail - p->head;
	size_t front = headroom > before ? headroom - before + PKT_HEADROOM / 2 : 0;
	size_t size = front + used + tailroom;
	__u8 *head;

	if (size > PKT_MAX)
		return false;
	head = buffer_new(current, size);
	if (!head)
		return false;
	memcpy(head + front, p->head, used);
	if (p->head != p->room)
		buffer_free(current, p->head, p->end - p->head);
	p->head = head;
	p->end = head + size;
	p->data = head + front + before;
	p->tail = head + front + used;
	pkt_fence(p);
	p->mac += p->mac == NO_HEADER ? 0 : (int)front;
	p->net += p->net == NO_HEADER ? 0 : (int)front;
	p->trans += p->trans == NO_HEADER ? 0 : (int)front;
	return true;
}

void pkt_free_buffer(struct pkt *p)
{
	if (p->head != p->room)
		buffer_free(current, p->head, p->end - p->head);
	if (ADDRESS_SANITIZER) {
		current->allocated--;
		free(p);
	}
}

struct pkt *pkt_clone(struct pkt *p)
{
	struct pkt *copy = pkt_new(p->data - p->head, pkt_len(p));

	if (!copy)
		return NULL;
	memcpy(copy->head, p->head, p->tail - p->head);
	copy->mac = p->mac;
	copy->net = p->net;
	copy->trans = p->trans;
	copy->trace = p->trace;
	pkt_take_annotations(copy, p);
	return copy;
}

void pkt_lose(__u64 packets, __u32 element, __u32 reason)
{
	const struct runtime *runtime = current->runtime;

	runtime->drops[(size_t)element * runtime->slots + current->slot].reason[reason] += packets;
}

static void count_drop(struct pkt *p, __u32 element, __u32 reason)
{
	const struct runtime *runtime = current->runtime;

	if (unlikely(runtime->trace))
		trace_event(runtime->trace, p, element, 0, TRACED_DROP, reason);
	pkt_lose(1, element, reason);
}

struct pkt *pkt_clone_or_count(struct pkt *p, __u32 element)
{
	struct pkt *copy = pkt_clone(p);

	if (unlikely(!copy))
		count_drop(p, element, DROP_NO_MEMORY);
	return copy;
}

void pkt_drop(struct pkt *p, __u32 element, __u32 reason)
{
	count_drop(p, element, reason);
	pkt_free(p);
}

void pkt_refuse(struct pkt *p, __u32 element, int result)
{
	__u32 reason = DROP_RESULT(result);	/* its own inverse */

	pkt_drop(p, element, reason < DROP_REASONS ? reason : DROP_NO_MEMORY);
}

static void free_list(struct pkt *p)
{
	while (p) {
		struct pkt *next = p->next;

		free(p);
		p = next;
	}
}

/* Free a thread's free packets and buffers. */
void pkt_release_all(struct thread *thread)
{
	free_list(thread->free);
	free_list(thread->batch);
	for (int class = 0; class < BUFFER_CLASSES; class++) {
		struct buffer *buffer;

		while ((buffer = thread->buffers[class])) {
			thread->buffers[class] = buffer->next;
			free(buffer);
		}
	}
}

void pkt_release_store(struct runtime *runtime)
{
	struct pkt *batch;

	while ((batch = store_take(&runtime->store)))
		free_list(batch);
}
