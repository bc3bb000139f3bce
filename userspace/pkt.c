/* Packet memory: the slow paths of the inline functions of pkt.h. */
#include <stdlib.h>
#include "pkt.h"
#include "runtime.h"
#include "runtime_element.h"
#include "trace.h"

/* A batch is an array of pointers in the room of its first packet; the store is a list of batches by `next`. */
static struct pkt *store_take(struct pkt_store *store)
{
	struct pkt *batch;

	pthread_mutex_lock(&store->lock);
	batch = store->first;
	if (batch) {
		store->first = batch->next;
		store->batches--;
	}
	pthread_mutex_unlock(&store->lock);
	return batch;
}

static void store_put(struct pkt_store *store, struct pkt *batch)
{
	pthread_mutex_lock(&store->lock);
	batch->next = store->first;
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

/* A packet for a thread that has no free ones, with more of them if there is a batch; NULL when out of memory. */
struct pkt *pkt_provide(struct thread *thread)
{
	struct pkt *batch = ADDRESS_SANITIZER ? NULL : store_take(&thread->runtime->store);

	if (!batch)
		return allocate(thread);
	memcpy(thread->free, batch->room, PKT_BATCH * sizeof(batch));
	thread->spare = PKT_BATCH - 1;
	for (thread->cold = PKT_BATCH; thread->cold >= PKT_BATCH - PKT_AHEAD;)
		pkt_prefetch(thread->free[--thread->cold]);
	return thread->free[thread->spare];
}

/* The pool is full. */
void pkt_put_by(struct thread *thread)
{
	struct pkt *batch = thread->free[PKT_BATCH];

	memcpy(batch->room, &thread->free[PKT_BATCH], PKT_BATCH * sizeof(batch));
	thread->spare = PKT_BATCH;
	store_put(&thread->runtime->store, batch);
}

/* The number of free packets of the threads and the store. */
long pkt_count_spare(const struct runtime *runtime)
{
	long spare = runtime->store.batches * PKT_BATCH;

	for (__u32 i = 0; !ADDRESS_SANITIZER && i < runtime->threads; i++)
		spare += runtime->thread[i].spare;
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

/* Free a thread's free packets and buffers. */
void pkt_release_all(struct thread *thread)
{
	while (thread->spare)
		free(thread->free[--thread->spare]);
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

	while ((batch = store_take(&runtime->store))) {
		struct pkt **packets = (struct pkt **)batch->room;

		for (int i = 1; i < PKT_BATCH; i++)
			free(packets[i]);
		free(batch);
	}
}
