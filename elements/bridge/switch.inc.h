/* The common part of switches: learning and lookup. The state is `table` and `vars`. Included once for each instance. */

static __always_inline bool SELF(find)(__u64 address, struct switch_entry *found)
{
	const __u64 hash = siphash13(var(vars)->key, address);

	for (int which = 0; which < 2; which++) {
		struct SELF(table) *bucket = at(table, switch_bucket(hash, cfg.bits, which));

		if (bucket && switch_look(bucket->host, bucket->seen, address, found))
			return true;
	}
	return false;
}

/* How long an address is remembered, in ns: less than TIMEOUT while the topology changes (EtherSpanTree). */
static __always_inline __s64 SELF(lifetime)(const struct SELF(vars) *vars)
{
	return vars->shorter && vars->shorter < vars->timeout ? vars->shorter : vars->timeout;
}

/* The port for packets to the address, or SWITCH_FLOOD. *found becomes the address's entry, if there is one. */
static __always_inline int SELF(port_of)(__u64 address, __u64 time, __s64 lifetime, struct switch_entry *found)
{
	found->host = NULL;
	if (switch_is_group(address) || !SELF(find)(address, found) || switch_age(found->seen, time) >= lifetime)
		return SWITCH_FLOOD;
	return switch_port(found->word);
}

static __always_inline void SELF(refresh)(const struct switch_entry *entry, __u64 time)
{
	if (switch_age(entry->seen, time) > SWITCH_REFRESH)
		write_once(*entry->seen, time);
}

#if USERSPACE

/* Find a free place for the address, in the emptier bucket. Expired entries count as free. */
static bool SELF(make_room)(__u64 address, __u64 time, __s64 lifetime, struct switch_entry *place)
{
	const __u64 hash = siphash13(var(vars)->key, address);
	int most = 0;

	for (int which = 0; which < 2; which++) {
		struct SELF(table) *bucket = at(table, switch_bucket(hash, cfg.bits, which));
		struct switch_entry here;
		int free = 0;

		for (int way = 0; way < SWITCH_WAYS; way++) {
			if (bucket->host[way] && switch_age(&bucket->seen[way], time) < lifetime)
				continue;
			here.host = &bucket->host[way];
			here.seen = &bucket->seen[way];
			free++;
		}
		if (free > most) {
			most = free;
			*place = here;
		}
	}
	return most;
}

/* List the places of both of an address's buckets. */
static void SELF(list_places)(__u64 address, struct switch_entry places[2 * SWITCH_WAYS])
{
	const __u64 hash = siphash13(var(vars)->key, address);

	for (int i = 0; i < 2 * SWITCH_WAYS; i++) {
		struct SELF(table) *bucket = at(table, switch_bucket(hash, cfg.bits, i / SWITCH_WAYS));
		const int way = i % SWITCH_WAYS;

		places[i] = (struct switch_entry){.host = &bucket->host[way], .seen = &bucket->seen[way], .word = bucket->host[way]};
	}
}

static int SELF(held_by)(const struct switch_entry places[2 * SWITCH_WAYS], int port)
{
	int held = 0;

	for (int i = 0; i < 2 * SWITCH_WAYS; i++)
		held += switch_port(places[i].word) == port;
	return held;
}

/* Take a place when both buckets are full: the oldest entry of the port with the most entries in them, unless the address's own port has
 * as many. So a flood of addresses from one port doesn't displace those of other ports.
 */
static bool SELF(take_room)(__u64 address, int port, struct switch_entry *place)
{
	struct switch_entry places[2 * SWITCH_WAYS];
	int most;

	SELF(list_places)(address, places);
	most = SELF(held_by)(places, port);
	place->host = NULL;
	for (int i = 0; i < 2 * SWITCH_WAYS; i++) {
		const int held = SELF(held_by)(places, switch_port(places[i].word));

		if (held > most || (held == most && place->host && *places[i].seen < *place->seen)) {
			most = held;
			*place = places[i];
		}
	}
	return place->host;
}

/* Store an address's port. If there is no room, packets to the address go to all ports. */
static void SELF(learn)(__u64 address, int port, __u64 time, __s64 lifetime)
{
	struct switch_entry entry;

	lock();
	if (SELF(find)(address, &entry) || SELF(make_room)(address, time, lifetime, &entry) || SELF(take_room)(address, port, &entry)) {
		write_once(*entry.seen, time);
		__atomic_store_n(entry.host, switch_word(address, port), __ATOMIC_RELEASE);
	}
	unlock();
}

/* The time by packets' timestamps; also update the offset of the kernel path's clock. */
static __u64 SELF(time)(const struct pkt *p, struct SELF(vars) *vars)
{
	const __u64 wall = wall_clock();

	write_once(vars->clock, wall - now());
	return p->timestamp ?: wall;
}

/* Learn the sender's port from a packet. Returns the packet's output port, or SWITCH_FLOOD. */
static int SELF(switch_packet)(struct pkt *p, const __u8 *header, int input)
{
	struct SELF(vars) *vars = var(vars);
	const __s64 lifetime = SELF(lifetime)(vars);
	const __u64 from = switch_address(header + ETH_ALEN);
	const __u64 time = SELF(time)(p, vars);
	struct switch_entry entry;
	int port;

	if (!lifetime)
		return SWITCH_FLOOD;
	if (SELF(find)(from, &entry) && switch_port(entry.word) == input)
		SELF(refresh)(&entry, time);
	else
		SELF(learn)(from, input, time, lifetime);
	port = SELF(port_of)(switch_address(header), time, lifetime, &entry);
	if (port == SWITCH_FLOOD && entry.host)
		__atomic_compare_exchange_n(entry.host, &entry.word, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return port;
}

/* Send to all outputs but one, the last one first. Returns the result for the packet itself. */
static int SELF(flood)(struct pkt *p, int input)
{
	const int first = input == 0;

	for (int port = SELF(noutputs) - 1; port > first; port--) {
		if (port != input)
			emit_copy(p, port);
	}
	return OUTPUT(first);
}

/* For EtherSpanTree: forget addresses sooner, as they may have moved; 0 restores TIMEOUT. */
static __attribute__((unused)) void SELF(forget_after)(__u64 nanoseconds)
{
	var(vars)->shorter = nanoseconds;
}

#ifdef SWITCH_STARTS
static void SELF(start)(void);
#endif

INIT()
{
	struct SELF(vars) *vars = var(vars);

	vars->clock = wall_clock() - now();
	hash_key_keep(vars->key);
#ifdef SWITCH_STARTS
	SELF(start)();
#endif
	return 0;
}

#endif
