#include "common/stride.inc.h"

ELEMENT(StrideSwitch)
{
	struct SELF(clients) *first = NULL;
	__u64 last_turn = 0;
	int chosen = 0;

	for (int port = 0; port < SELF(noutputs); port++) {
		struct SELF(clients) *output = at(clients, port);

		if (!output)
			return PUNT;
		if (output->turn > last_turn)
			last_turn = output->turn;
		if (output->tickets && (!first || SELF(before)(output, first))) {
			first = output;
			chosen = port;
		}
	}
	if (!first)
		return DROP(DISCARDED);
	first->advanced += first->stride;
	first->turn = last_turn + 1;
	return OUTPUT(chosen);
}
