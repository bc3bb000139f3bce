/* Whether an output goes before another one: it has advanced less, or it arrived there later. */
static __always_inline bool SELF(before)(const struct SELF(outputs) *one, const struct SELF(outputs) *other)
{
	return one->advanced != other->advanced ? one->advanced < other->advanced : one->turn > other->turn;
}

ELEMENT(StrideSwitch)
{
	struct SELF(outputs) *first = NULL;
	__u64 last_turn = 0;
	int chosen = 0;

	for (int port = 0; port < cfg.noutputs; port++) {
		struct SELF(outputs) *output = at(outputs, port);

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
