ELEMENT(Hub)
{
	int last = input == SELF(noutputs) - 1 ? SELF(noutputs) - 2 : SELF(noutputs) - 1;

	if (last < 0)
		return DROP(DISCARDED);
	if (!USERSPACE)
		return COPIES(input);
	for (int port = 0; port < last; port++) {
		if (port != input)
			emit_copy(p, port);
	}
	return OUTPUT(last);
}
