ELEMENT(Hub)
{
	int last = input == cfg.noutputs - 1 ? cfg.noutputs - 2 : cfg.noutputs - 1;

	if (last < 0)
		return DROP(DISCARDED);
	if (!USERSPACE)
		return COPIES(input);
	for (int port = 0; port < last; port++) {
		struct pkt *copy = port == input ? NULL : pkt_clone(p);

		if (copy)
			emit(copy, port);
	}
	return OUTPUT(last);
}
