#include "common/stride.inc.h"

/* Remember the first output by number, and look it up again: if clang tests again what a pointer was compared with, Linux 6.1's
 * verifier loses track of the pointer.
 */
ELEMENT(StrideSwitch)
{
	struct SELF(clients) first = {}, *output;
	__u64 last_turn = 0;
	int chosen = -1;

	for (int port = 0; port < SELF(noutputs); port++) {
		output = at(clients, port);
		if (!output)
			return PUNT;
		if (output->turn > last_turn)
			last_turn = output->turn;
		if (output->tickets && (chosen < 0 || SELF(before)(output, &first))) {
			first = *output;
			chosen = port;
		}
	}
	if (chosen < 0)
		return DROP(DISCARDED);
	output = at(clients, chosen);
	if (!output)
		return PUNT;
	output->advanced += output->stride;
	output->turn = last_turn + 1;
	return OUTPUT(chosen);
}
