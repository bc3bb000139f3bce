/* The element that keeps an ARP table: ARPTable, or an ARPQuerier that has its own. Included once for each. */

static struct arp_table SELF(arp);

static int SELF(open_table)(void)
{
	struct arp_table *t = &SELF(arp);

	t->entry = (struct arp_entry *)at(table, 0);
	t->list = (struct arp_list *)var(list);
	t->element = SELF(index);
	t->capacity = cfg.entries;
	t->packet_capacity = cfg.capacity;
	t->entry_packet_capacity = cfg.entry_packet_capacity;
	t->slim_factor = cfg.capacity_slim_factor;
	t->timeout = cfg.timeout;
	t->clean_at = now() + (cfg.timeout / ARP_SECOND + 1) * ARP_SECOND;
	return arp_open(t);
}

/* Operations of the Python side, numbered as there (_arptable.py); `argument` points to what they need. */
static void SELF(control_table)(int op, __u64 argument)
{
	const struct {
		__be32 ip;
		__u8 ether[6];
	} *mapping = (const void *)argument;

	if (op == 0)
		arp_learn(&SELF(arp), mapping->ip, mapping->ether, now());
	else if (op == 1)
		arp_clear(&SELF(arp));
	else if (op == 2)
		*(__u64 *)argument = now();
	else if (op == 4)
		*(struct arp_table **)argument = &SELF(arp);
	else if (op == 5)
		arp_take(&SELF(arp), *(struct arp_table **)argument, now());
}
