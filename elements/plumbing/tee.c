ELEMENT(Tee)
{
	if (!USERSPACE)
		return COPIES(0);
	for (int port = 0; port < SELF(noutputs) - 1; port++) {
		struct pkt *copy = pkt_clone(p);

		if (copy)
			emit(copy, port);
	}
	return OUTPUT(SELF(noutputs) - 1);
}
