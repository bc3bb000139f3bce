#include <errno.h>
#include <stdlib.h>

#define PULLS_BEFORE_STOP 10	/* as in Click: empty pulls before the end is assumed */

/* A packet in the heap, sorted by timestamp. */
struct SELF(slot) {
	struct heap_node node;
	struct pkt *p;
	struct SELF(slot) *next;
	__u32 input;
};

INIT()
{
	struct SELF(sorter) *s = private(sorter);
	size_t room = (size_t)SELF(ninputs) * cfg.buffer;

	s->nodes = calloc(room + 1, sizeof(struct heap_node *));
	s->slots = calloc(room + 1, sizeof(struct SELF(slot)));
	if (!s->nodes || !s->slots) {
		complain("no memory for the packets that BUFFER asks for");
		return -ENOMEM;
	}
	for (s->ready = 0; s->ready < SELF(ninputs); s->ready++)
		at(inputs, s->ready)->ready = s->ready;
	for (size_t i = 0; i < room; i++) {
		struct SELF(slot) *slot = (struct SELF(slot) *)s->slots + i;

		slot->next = s->free;
		s->free = slot;
	}
	return 0;
}

static void SELF(hold)(struct SELF(sorter) *s, struct heap *heap, struct pkt *p, __u32 port)
{
	struct SELF(slot) *slot = s->free;

	s->free = slot->next;
	slot->p = p;
	slot->input = port;
	slot->node.key = p->timestamp;
	heap_insert(heap, &slot->node);
	at(inputs, port)->held++;
}

/* Pull packets while there is room. As in Click, the input that got room last is asked first: after a PullTee that feeds several
 * inputs, the order is visible.
 */
static void SELF(fill)(struct SELF(sorter) *s, struct heap *heap)
{
	struct pkt *p;

	for (__u32 i = s->ready; i-- > 0;) {
		const __u32 port = at(inputs, i)->ready;

		while (at(inputs, port)->held < cfg.buffer && (p = pull(port)))
			SELF(hold)(s, heap, p, port);
		if (at(inputs, port)->held == cfg.buffer)
			at(inputs, i)->ready = at(inputs, --s->ready)->ready;
	}
}

/* The packet with the earliest timestamp, or NULL. */
static struct pkt *SELF(release)(struct SELF(sorter) *s, struct heap *heap)
{
	struct heap_node *node = heap_first(heap);
	struct SELF(slot) *slot;

	if (!node)
		return NULL;
	heap_remove(heap, node);
	slot = container_of(node, struct SELF(slot), node);
	slot->next = s->free;
	s->free = slot;
	if (at(inputs, slot->input)->held-- == cfg.buffer)
		at(inputs, s->ready++)->ready = slot->input;
	return slot->p;
}

static void SELF(finish)(struct SELF(sorter) *s)
{
	if (s->in_vain++ < PULLS_BEFORE_STOP)
		wake_pullers();
	else if (s->in_vain == PULLS_BEFORE_STOP + 1)
		driver_stop();
}

PULL()
{
	struct SELF(sorter) *s = private(sorter);
	struct heap heap = {.size = s->size, .inserted = s->inserted, .nodes = s->nodes};
	struct pkt *p;

	SELF(fill)(s, &heap);
	p = SELF(release)(s, &heap);
	s->size = heap.size;
	s->inserted = heap.inserted;
	if (!p) {
		if (cfg.stop)
			SELF(finish)(s);
		return NULL;
	}
	s->in_vain = 0;
	if (p->timestamp) {
		if (p->timestamp < s->latest)
			s->disordered = true;
		s->latest = p->timestamp;
	}
	return p;
}

CLEANUP()
{
	struct SELF(sorter) *s = private(sorter);
	struct heap heap = {.size = s->size, .nodes = s->nodes};
	struct pkt *p;

	while ((p = SELF(release)(s, &heap)))
		pkt_free(p);
	s->size = 0;
	free(s->nodes);
	free(s->slots);
}
