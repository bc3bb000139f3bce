#include "wifi/rates.h"

/* A station's incomplete frame; `p` is NULL if there is none. */
struct SELF(partial) {
	__u64 address;
	struct pkt *p;
	__u32 sequence, next;
};

static struct table *SELF(table)(void)
{
	return as_table(private(partials)->table, sizeof(struct SELF(partial)), cfg.capacity);
}

static void SELF(forget)(void *entry)
{
	struct SELF(partial) *partial = entry;

	if (partial->p)
		pkt_free(partial->p);
	partial->p = NULL;
}

/* Keep the first fragment, for others to be added to it. */
static int SELF(begin)(struct pkt *p, __u64 key, __u32 sequence)
{
	struct SELF(partial) *partial = table_admit(SELF(table)(), key, &private(partials)->hand, SELF(forget));

	if (!partial)
		return DROP(NO_MEMORY);
	SELF(forget)(partial);
	partial->p = p;
	partial->sequence = sequence;
	partial->next = 1;
	return STOLEN;
}

/* Add a fragment's body to the frame. False if the frame gets too long, or without memory. */
static bool SELF(add)(struct pkt *p, struct pkt *fragment)
{
	const __u32 end = pkt_len(p), length = pkt_len(fragment) - sizeof(struct wifi_header);

	if (!pkt_put(p, length))
		return false;
	if (length)
		memcpy(pkt_data(p, end, length), pkt_data(fragment, sizeof(struct wifi_header), length), length);
	return true;
}

/* The last fragment has been added: turn its packet into the whole frame. */
static int SELF(finish)(struct SELF(partial) *partial, struct pkt *p)
{
	struct pkt *whole = partial->p;
	const __u32 length = pkt_len(whole);
	struct wifi_header *header;

	if (!pkt_put(p, length - pkt_len(p))) {
		SELF(forget)(partial);
		return DROP(NO_MEMORY);
	}
	header = pkt_data(p, 0, length);
	memcpy(header, pkt_data(whole, 0, length), length);
	header->sequence = partial->sequence << WIFI_FRAGMENT_BITS;
	header->flags &= ~WIFI_FRAGMENTED;
	pkt_take_annotations(p, whole);
	SELF(forget)(partial);
	return OUTPUT(0);
}

ELEMENT(WifiDefrag)
{
	const struct wifi_header *wifi = pkt_data(p, 0, sizeof(*wifi));
	struct SELF(partial) *partial;
	__u32 sequence, number;
	bool more;

	if (!wifi)
		return OUTPUT(0);
	sequence = wifi->sequence >> WIFI_FRAGMENT_BITS;
	number = wifi->sequence & WIFI_FRAGMENT;
	more = wifi->flags & WIFI_FRAGMENTED;
	if (more && !number)
		return SELF(begin)(p, wifi_station(wifi->address[1]), sequence);
	partial = table_find(SELF(table)(), wifi_station(wifi->address[1]));
	if (!number) {
		if (partial)
			SELF(forget)(partial);
		return OUTPUT(0);
	}
	if (!partial || !partial->p || partial->next != number || partial->sequence != sequence || !SELF(add)(partial->p, p)) {
		if (partial)
			SELF(forget)(partial);
		return DROP(FILTERED);
	}
	partial->next++;
	if (!more)
		return SELF(finish)(partial, p);
	pkt_free(p);
	return STOLEN;
}

CLEANUP()
{
	for (__u32 i = 0; i < SELF(table)()->count; i++)
		SELF(forget)(table_entry(SELF(table)(), i));
	table_clear(SELF(table)());
}
