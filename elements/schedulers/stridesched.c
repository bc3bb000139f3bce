#include "common/stride.inc.h"

/* The first input with tickets that was not asked yet; NULL if there is none. */
static struct SELF(clients) *SELF(foremost)(void)
{
	struct SELF(clients) *first = NULL;

	for (__u32 port = 0; port < SELF(ninputs); port++) {
		struct SELF(clients) *input = at(clients, port);

		if (input->tickets && !input->asked && (!first || SELF(before)(input, first)))
			first = input;
	}
	return first;
}

/* Advance the inputs that were asked, and sort them in again, in the order of asking. */
static void SELF(advance)(void)
{
	__u64 last_turn = 0;

	for (__u32 port = 0; port < SELF(ninputs); port++)
		if (at(clients, port)->turn > last_turn)
			last_turn = at(clients, port)->turn;
	for (__u32 port = 0; port < SELF(ninputs); port++) {
		struct SELF(clients) *input = at(clients, port);

		if (!input->asked)
			continue;
		input->advanced += input->stride;
		input->turn = last_turn + input->asked;
		input->asked = 0;
	}
}

PULL()
{
	struct SELF(clients) *input;
	struct pkt *p = NULL;
	__u32 asked = 0;

	while (!p && (input = SELF(foremost)())) {
		input->asked = ++asked;
		p = pull(input - at(clients, 0));
	}
	SELF(advance)();
	return p;
}

#include "common/wake.inc.h"
