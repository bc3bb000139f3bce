ELEMENT(Tee)
{
	if (!USERSPACE)
		return COPIES(0);
	for (int port = 0; port < cfg.noutputs - 1; port++) {
		struct pkt *copy = pkt_clone(p);

		if (copy)
			emit(copy, port);
	}
	return OUTPUT(cfg.noutputs - 1);
}
