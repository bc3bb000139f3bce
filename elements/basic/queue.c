/* A list of packets, chained by their `next`. */

static inline void SELF(append)(struct SELF(queue) *q, struct pkt *p)
{
	p->next = NULL;
	if (q->length)
		((struct pkt *)q->tail)->next = p;
	else
		q->head = p;
	q->tail = p;
	if (++q->length > q->highwater)
		q->highwater = q->length;
	if (q->length >= q->capacity)
		set_full(true);
	if (q->length == 1)
		wake_pullers();
}

static inline struct pkt *SELF(take)(struct SELF(queue) *q)
{
	struct pkt *p = q->head;

	if (!q->length)
		return NULL;
	q->head = p->next;
	p->next = NULL;
	if (q->length-- == q->capacity) {
		set_full(false);
		wake_pushers();
	}
	return p;
}

static void SELF(overflow)(struct SELF(queue) *q, struct pkt *p)
{
	q->drops++;
	if (output_is_connected(1))
		emit(p, 1);
	else
		discard(p, FULL);
}

ELEMENT(Queue)
{
	struct SELF(queue) *q = private(queue);

	if (unlikely(q->length >= q->capacity))
		SELF(overflow)(q, p);
	else
		SELF(append)(q, p);
	return STOLEN;
}

PULL()
{
	return SELF(take)(private(queue));
}

/* Keep the packets that fit; the rest is dropped silently, as in Click. */
static void SELF(shrink)(struct SELF(queue) *q, __u32 capacity)
{
	struct pkt *last = NULL, *p = q->head;
	__u32 kept = q->length < capacity ? q->length : capacity;
	bool was_full = q->length >= q->capacity;

	for (__u32 i = 0; i < kept; i++, p = p->next)
		last = p;
	for (__u32 i = kept; i < q->length; i++) {
		struct pkt *next = p->next;

		pkt_free(p);
		p = next;
	}
	if (last)
		last->next = NULL;
	q->tail = last;
	q->length = kept;
	q->capacity = capacity;
	set_full(kept >= capacity);
	if (was_full && kept < capacity)
		wake_pushers();
}

CONTROL()
{
	struct SELF(queue) *q = private(queue);
	struct pkt *p;

	if (op == 0)
		SELF(shrink)(q, argument);
	else
		while ((p = SELF(take)(q))) {
			if (output_is_connected(1))
				emit(p, 1);
			else
				pkt_free(p);
		}
	return 0;
}

CLEANUP()
{
	struct SELF(queue) *q = private(queue);
	struct pkt *p;

	while ((p = SELF(take)(q)))
		pkt_free(p);
}
