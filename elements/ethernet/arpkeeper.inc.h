/* The element that keeps an ARP table: ARPTable, or an ARPQuerier that has its own. Included once for each. */

LASTING(struct arp_table, arp);

/* Apply the arguments, in the state, to the table. */
static void SELF(tune)(struct arp_table *t)
{
	const struct SELF(limits) *limits = var(limits);

	t->packet_capacity = limits->capacity;
	t->entry_packet_capacity = limits->entry_packet_capacity;
	t->slim_factor = limits->capacity_slim_factor;
	t->timeout = limits->timeout;
	t->clean_at = now() + (t->timeout / ARP_SECOND + 1) * ARP_SECOND;
}

static int SELF(open_table)(void)
{
	struct arp_table *t = SELF(arp);

	t->entry = (struct arp_entry *)at(table, 0);
	t->list = (struct arp_list *)var(list);
	t->element = SELF(index);
	t->capacity = cfg.entries;
	SELF(tune)(t);
	return arp_open(t);
}

/* The operations of _arptable.py; `argument` points to their arguments. */
static void SELF(control_table)(int op, __u64 argument)
{
	const struct {
		__be32 ip;
		__u8 ether[6];
	} *mapping = (const void *)argument;

	if (op == SELF(LEARN))
		arp_learn(SELF(arp), mapping->ip, mapping->ether, now());
	else if (op == SELF(CLEAR))
		arp_clear(SELF(arp));
	else if (op == SELF(WHERE))
		*(struct arp_table **)argument = SELF(arp);
	else if (op == SELF(TAKE))
		arp_take(SELF(arp), *(struct arp_table **)argument, now());
	else if (op == SELF(TUNE))
		SELF(tune)(SELF(arp));
}
