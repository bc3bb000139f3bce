ELEMENT(Hub)
{
	int last = input == SELF(noutputs) - 1 ? SELF(noutputs) - 2 : SELF(noutputs) - 1;

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
