#include <string.h>
#include "bridge/bpdu.h"
#include "bridge/spanningtree.inc.h"

#define EARLIER(when, first) ((when) && (when) < (first) ? (when) : (first))

static void SELF(sleep)(void);

ELEMENT(EtherSpanTree)
{
	const struct bpdu_wire *wire = pkt_data(p, 0, pkt_len(p));
	const int type = bpdu_type(wire, pkt_len(p));
	struct bpdu message;

	if (type < 0)
		return DROP(MALFORMED);
	if (type == BPDU_CHANGE) {
		SELF(receive_change)(input);
	} else {
		bpdu_read(wire, &message);
		if (message.age >= message.max_age)
			return DROP(EXPIRED);
		if (message.bridge == cfg.id && message.port == SELF(port_id)(input))
			return DROP(MALFORMED);
		SELF(receive_config)(&message, input);
	}
	SELF(sleep)();
	pkt_free(p);
	return STOLEN;
}

/* Whether a deadline has passed; if so, clear it. */
static bool SELF(due)(__u64 *when, __u64 time)
{
	if (!*when || *when > time)
		return false;
	*when = 0;
	return true;
}

static void SELF(run_port)(int number, __u64 time)
{
	SELF(port) *port = at(ports, number);

	if (SELF(due)(&port->message_age, time))
		SELF(message_expired)(number);
	if (SELF(due)(&port->delay, time))
		SELF(delay_over)(number);
	if (SELF(due)(&port->hold, time) && port->pending)
		SELF(transmit_config)(number);
}

static void SELF(run_tree)(__u64 time)
{
	struct SELF(tree) *tree = var(tree);

	if (SELF(due)(&tree->hello, time)) {
		tree->hello = SELF(in)(tree->hello_time);
		SELF(generate_configs)();
	}
	if (SELF(due)(&tree->hello_due, time)) {
		tree->hello_due = SELF(in)(cfg.hello_time);
		SELF(transmit_change)();
	}
	if (SELF(due)(&tree->change_over, time)) {
		tree->detected = false;
		SELF(take_times)(tree->max_age, tree->hello_time, tree->forward_delay, false);
	}
}

/* Set the timer to the earliest deadline. */
static void SELF(sleep)(void)
{
	const struct SELF(tree) *tree = var(tree);
	__u64 first = ~0ull;

	first = EARLIER(tree->hello, first);
	first = EARLIER(tree->hello_due, first);
	first = EARLIER(tree->change_over, first);
	for (int i = 0; i < SELF(noutputs); i++) {
		const SELF(port) *port = at(ports, i);

		first = EARLIER(port->message_age, first);
		first = EARLIER(port->delay, first);
		first = EARLIER(port->hold, first);
	}
	if (first != ~0ull)
		timer_at(first);
}

TIMER()
{
	const __u64 time = now();

	for (int i = 0; i < SELF(noutputs); i++)
		SELF(run_port)(i, time);
	SELF(run_tree)(time);
	SELF(sleep)();
}

/* 8.8.1: a bridge begins as the root, with all ports blocked. */
INIT()
{
	struct SELF(tree) *tree = var(tree);

	memset(tree, 0, sizeof(*tree));
	SELF(take_times)(cfg.max_age, cfg.hello_time, cfg.forward_delay, false);
	tree->root = cfg.id;
	tree->root_port = TREE_NOBODY;
	tree->hello = now();
	for (int i = 0; i < SELF(noutputs); i++) {
		memset(at(ports, i), 0, sizeof(SELF(port)));
		SELF(become_designated)(i);
	}
	SELF(select_states)();
	SELF(sleep)();
	return 0;
}

/* Python has copied the tree of the replaced element. (INIT's timer then finds the next deadline.) */
CONTROL()
{
	const struct SELF(tree) *tree = var(tree);

	for (int i = 0; i < SELF(noutputs); i++)
		SELF(shut_as)(i, at(ports, i)->state);
	OTHER(switch, forget_after)(tree->change ? tree->forward_delay * TREE_TICK : 0);
	return 0;
}
