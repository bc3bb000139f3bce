/* Security associations (RFC 4301, section 4.4.2): keys and sequence numbers of one direction of a tunnel. struct sa is
 * generated from its Python declaration (_association.py).
 *
 * A packet's association is the element's own, or that of the packet's annotation. The annotation, set by a routing table with
 * tunnels, has the table's number in the upper half, and the index in its array of associations plus 1 in the lower half.
 */
#pragma once

#define IPSEC_SPI_ANNO 32
#define IPSEC_SA_ANNO 40

/* The ESP header before the initialisation vector (RFC 4303, section 2). */
#define ESP_HEADER 8
/* The truncated digest, in bytes (RFC 2404, section 2). */
#define ESP_DIGEST 12

struct esp_header {
	__be32 spi, sequence;
};

struct sa_table {
	struct sa_table *next;
	__u32 number, count;
	struct sa *sa;
};

#if USERSPACE
/* All associations of this router. */
LASTING_AS(struct sa_table *, sa_tables, sa_tables_own);

static inline __u64 sa_reference(__u32 table, __u32 place)
{
	return (__u64)table << 32 | (place + 1);
}

static inline struct sa *sa_of(struct pkt *p)
{
	const __u64 reference = *(__u64 *)(p->anno + IPSEC_SA_ANNO);
	const __u32 place = (__u32)reference - 1;

	for (struct sa_table *table = *sa_tables; table; table = table->next)
		if (table->number == reference >> 32 && place < table->count)
			return table->sa[place].spi ? &table->sa[place] : NULL;
	return NULL;
}

/* Locks for replay windows, each in a cache line: elements on several threads may share an association. An association has no lock of
 * its own, since it outlives the process, which may be killed at any time.
 */
struct sa_locks {
	int of[64][16];
};
LASTING_AS(struct sa_locks, sa_locks, sa_locks_own);

static inline int *sa_lock_window(const struct sa *sa)
{
	int *lock = sa_locks->of[(__u64)sa / sizeof(*sa) % 64];

	while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
		;
	return lock;
}

#endif
