/* At most one round, as in Click, so that the puller can do other work while deficits grow. */
PULL()
{
	struct SELF(round) *round = private(round);
	bool waiting = false;

	for (__u32 i = 0; i < SELF(ninputs); i++) {
		struct SELF(inputs) *input = at(inputs, round->next);
		struct pkt *p = input->head ?: pull(round->next);

		input->head = NULL;
		if (!p) {
			input->deficit = 0;
		} else if (pkt_len(p) <= input->deficit) {
			input->deficit -= pkt_len(p);
			return p;
		} else {
			input->head = p;
			waiting = true;
		}
		if (++round->next == SELF(ninputs))
			round->next = 0;
		at(inputs, round->next)->deficit += cfg.quantum;
	}
	if (waiting)
		wake_pullers();
	return NULL;
}

CLEANUP()
{
	for (__u32 i = 0; i < SELF(ninputs); i++) {
		struct SELF(inputs) *input = at(inputs, i);

		if (input->head)
			pkt_free(input->head);
		input->head = NULL;
	}
}
