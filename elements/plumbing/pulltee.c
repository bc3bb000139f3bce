ELEMENT(PullTee)
{
	for (int port = 1; port < cfg.noutputs; port++) {
		struct pkt *copy = pkt_clone(p);

		if (copy)
			emit(copy, port);
	}
	return OUTPUT(0);
}
