/* The spanning tree algorithm of IEEE 802.1D-1998, section 8: its procedures (8.6), and their use when a message arrives or a timer
 * expires (8.7). The state is `tree` and `ports` (etherspantree.py). Deadlines are times of now(), 0 for a stopped timer. Included
 * once for each instance.
 */

enum port_state { STATE_BLOCKING, STATE_LISTENING, STATE_LEARNING, STATE_FORWARDING };

#define TREE_NOBODY (-1)
/* The protocol's unit of time, 1/256 s, in ns. */
#define TREE_TICK 3906250ull

typedef struct SELF(ports) SELF(port);

static void OTHER(input_suppressor, set_shut)(__u32 number, bool shut);
static void OTHER(output_suppressor, set_shut)(__u32 number, bool shut);
static void OTHER(switch, forget_after)(__u64 nanoseconds);

static bool SELF(is_root)(void)
{
	return var(tree)->root_port == TREE_NOBODY;
}

static __u16 SELF(port_id)(int number)
{
	return cfg.port_id + number;
}

static bool SELF(is_designated)(int number)
{
	const SELF(port) *port = at(ports, number);

	return port->bridge == cfg.id && port->port == SELF(port_id)(number);
}

/* The deadline for a time from a message, capped. */
static __u64 SELF(in)(__u32 ticks)
{
	return now() + ticks * TREE_TICK;
}

static __u16 SELF(message_age)(void)
{
	const struct SELF(tree) *tree = var(tree);
	const __s64 left = SELF(is_root)() ? 0 : at(ports, tree->root_port)->message_age - now();

	if (SELF(is_root)())
		return 0;
	return left <= 0 ? tree->max_age : tree->max_age - left / TREE_TICK + 1;
}

static struct bpdu_wire *SELF(new_message)(struct pkt **p, __u8 type, int size)
{
	struct bpdu_wire *wire;

	*p = pkt_new(PKT_HEADROOM, BPDU_FRAME);
	if (!*p)
		return NULL;
	wire = pkt_data(*p, 0, BPDU_FRAME);
	bpdu_write_head(wire, cfg.addr, type, size);
	pkt_set_mac_header(*p, 0);
	return wire;
}

/* 8.6.1: at most one message per hold time. */
static void SELF(transmit_config)(int number)
{
	const struct SELF(tree) *tree = var(tree);
	SELF(port) *port = at(ports, number);
	struct bpdu_wire *wire;
	struct bpdu message;
	struct pkt *p;

	if (port->hold) {
		port->pending = true;
		return;
	}
	message = (struct bpdu) {
		.root = tree->root,
		.bridge = cfg.id,
		.cost = tree->cost,
		.port = SELF(port_id)(number),
		.age = SELF(message_age)(),
		.max_age = tree->max_age,
		.hello_time = tree->hello_time,
		.forward_delay = tree->forward_delay,
		.flags = (port->acknowledge ? BPDU_TCA : 0) | (tree->change ? BPDU_TC : 0),
	};
	if (message.age >= message.max_age)
		return;
	wire = SELF(new_message)(&p, BPDU_CONFIG, BPDU_CONFIG_SIZE);
	if (!wire)
		return;
	bpdu_write(wire, &message);
	port->acknowledge = port->pending = false;
	port->hold = now() + cfg.hold_time;
	emit(p, number);
}

/* 8.6.6 */
static void SELF(transmit_change)(void)
{
	struct pkt *p;

	if (SELF(new_message)(&p, BPDU_CHANGE, BPDU_CHANGE_SIZE))
		emit(p, var(tree)->root_port);
}

/* 8.6.4 */
static void SELF(generate_configs)(void)
{
	for (int i = 0; i < SELF(noutputs); i++)
		if (SELF(is_designated)(i))
			SELF(transmit_config)(i);
}

/* 8.6.2: whether a message is at least as good as the port's information. */
static bool SELF(supersedes)(const struct bpdu *message, int number)
{
	const SELF(port) *port = at(ports, number);

	if (message->root != port->root)
		return message->root < port->root;
	if (message->cost != port->cost)
		return message->cost < port->cost;
	if (message->bridge != port->bridge)
		return message->bridge < port->bridge;
	return message->bridge != cfg.id || message->port <= port->port;
}

static void SELF(record_config)(const struct bpdu *message, int number)
{
	SELF(port) *port = at(ports, number);

	port->root = message->root;
	port->cost = message->cost;
	port->bridge = message->bridge;
	port->port = message->port;
	port->change = message->flags & BPDU_TC;
	port->max_age = message->max_age;
	port->hello_time = message->hello_time;
	port->forward_delay = message->forward_delay;
	port->message_age = SELF(in)(message->max_age - message->age);
}

/* Use the root's times; forget addresses sooner while the topology changes (7.9.2). */
static void SELF(take_times)(__u16 max_age, __u16 hello_time, __u16 forward_delay, bool change)
{
	struct SELF(tree) *tree = var(tree);

	tree->max_age = max_age;
	tree->hello_time = hello_time;
	tree->forward_delay = forward_delay;
	tree->change = change;
	OTHER(switch, forget_after)(change ? forward_delay * TREE_TICK : 0);
}

/* 8.6.8: whether a port has a better path to its root than another. */
static bool SELF(nearer)(int number, int other)
{
	const SELF(port) *a = at(ports, number), *b = at(ports, other);

	if (a->root != b->root)
		return a->root < b->root;
	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (a->bridge != b->bridge)
		return a->bridge < b->bridge;
	return a->port != b->port ? a->port < b->port : number < other;
}

static void SELF(select_root)(void)
{
	struct SELF(tree) *tree = var(tree);
	int best = TREE_NOBODY;

	for (int i = 0; i < SELF(noutputs); i++)
		if (!SELF(is_designated)(i) && at(ports, i)->root < cfg.id && (best == TREE_NOBODY || SELF(nearer)(i, best)))
			best = i;
	tree->root_port = best;
	tree->root = best == TREE_NOBODY ? cfg.id : at(ports, best)->root;
	tree->cost = best == TREE_NOBODY ? 0 : at(ports, best)->cost + cfg.path_cost;
}

/* 8.6.10 */
static void SELF(become_designated)(int number)
{
	const struct SELF(tree) *tree = var(tree);
	SELF(port) *port = at(ports, number);

	port->root = tree->root;
	port->cost = tree->cost;
	port->bridge = cfg.id;
	port->port = SELF(port_id)(number);
}

/* 8.6.9: become designated on each port where this bridge's message would be better. */
static void SELF(select_designated)(void)
{
	const struct SELF(tree) *tree = var(tree);

	for (int i = 0; i < SELF(noutputs); i++) {
		const SELF(port) *port = at(ports, i);
		const bool same = port->root == tree->root && port->cost == tree->cost;

		if (SELF(is_designated)(i) || port->root != tree->root || tree->cost < port->cost ||
		    (same && cfg.id < port->bridge) || (same && cfg.id == port->bridge && SELF(port_id)(i) <= port->port))
			SELF(become_designated)(i);
	}
}

/* A blocked or listening port passes no packets; a learning port passes incoming packets to the switch. */
static void SELF(shut_as)(int number, enum port_state state)
{
	OTHER(input_suppressor, set_shut)(number, state < STATE_LEARNING);
	OTHER(output_suppressor, set_shut)(number, state < STATE_FORWARDING);
}

static void SELF(set_state)(int number, enum port_state state)
{
	SELF(port) *port = at(ports, number);

	port->state = state;
	port->delay = state == STATE_LISTENING || state == STATE_LEARNING ? SELF(in)(var(tree)->forward_delay) : 0;
	SELF(shut_as)(number, state);
}

/* 8.6.14 */
static void SELF(detect_change)(void)
{
	struct SELF(tree) *tree = var(tree);

	if (SELF(is_root)()) {
		SELF(take_times)(tree->max_age, tree->hello_time, tree->forward_delay, true);
		tree->change_over = SELF(in)(cfg.max_age + cfg.forward_delay);
	} else if (!tree->detected) {
		SELF(transmit_change)();
		tree->hello_due = SELF(in)(cfg.hello_time);
	}
	tree->detected = true;
}

/* 8.6.13 */
static void SELF(make_blocking)(int number)
{
	const enum port_state before = at(ports, number)->state;

	if (before == STATE_BLOCKING)
		return;
	SELF(set_state)(number, STATE_BLOCKING);
	if (before >= STATE_LEARNING)
		SELF(detect_change)();
}

/* 8.6.11 */
static void SELF(select_states)(void)
{
	for (int i = 0; i < SELF(noutputs); i++) {
		SELF(port) *port = at(ports, i);
		const bool designated = SELF(is_designated)(i);

		if (designated)
			port->message_age = 0;
		else
			port->pending = port->acknowledge = false;
		if (!designated && i != var(tree)->root_port)
			SELF(make_blocking)(i);
		else if (port->state == STATE_BLOCKING)
			SELF(set_state)(i, STATE_LISTENING);
	}
}

/* 8.6.7; returns whether this bridge has become or ceased to be the root. */
static bool SELF(update)(void)
{
	const bool before = SELF(is_root)();

	SELF(select_root)();
	SELF(select_designated)();
	SELF(select_states)();
	return before != SELF(is_root)();
}

/* 8.7.1: a configuration message has arrived. */
static void SELF(receive_config)(const struct bpdu *message, int number)
{
	struct SELF(tree) *tree = var(tree);

	if (!SELF(supersedes)(message, number)) {
		if (SELF(is_designated)(number))
			SELF(transmit_config)(number);
		return;
	}
	SELF(record_config)(message, number);
	if (SELF(update)()) {
		tree->hello = tree->change_over = 0;
		if (tree->detected) {
			SELF(transmit_change)();
			tree->hello_due = SELF(in)(cfg.hello_time);
		}
	}
	if (number != tree->root_port)
		return;
	SELF(take_times)(message->max_age, message->hello_time, message->forward_delay, message->flags & BPDU_TC);
	SELF(generate_configs)();
	if (message->flags & BPDU_TCA) {
		tree->detected = false;
		tree->hello_due = 0;
	}
}

/* 8.7.2: the topology has changed below. */
static void SELF(receive_change)(int number)
{
	if (!SELF(is_designated)(number))
		return;
	SELF(detect_change)();
	at(ports, number)->acknowledge = true;
	SELF(transmit_config)(number);
}

static void SELF(become_root)(void)
{
	struct SELF(tree) *tree = var(tree);

	SELF(take_times)(cfg.max_age, cfg.hello_time, cfg.forward_delay, tree->change);
	SELF(detect_change)();
	tree->hello_due = 0;
	tree->hello = SELF(in)(tree->hello_time);
	SELF(generate_configs)();
}

/* 8.7.4: the root's information has expired. */
static void SELF(message_expired)(int number)
{
	at(ports, number)->message_age = 0;
	SELF(become_designated)(number);
	if (SELF(update)())
		SELF(become_root)();
}

/* 8.7.5 */
static void SELF(delay_over)(int number)
{
	SELF(port) *port = at(ports, number);

	SELF(set_state)(number, port->state + 1);
	if (port->state != STATE_FORWARDING)
		return;
	for (int i = 0; i < SELF(noutputs); i++)
		if (SELF(is_designated)(i)) {
			SELF(detect_change)();
			return;
		}
}
