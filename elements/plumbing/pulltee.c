ELEMENT(PullTee)
{
	for (int port = 1; port < SELF(noutputs); port++) {
		struct pkt *copy = pkt_clone(p);

		if (copy)
			emit(copy, port);
	}
	return OUTPUT(0);
}
