ELEMENT(Tee)
{
	if (!USERSPACE)
		return COPIES(0);
	for (int port = 0; port < SELF(noutputs) - 1; port++)
		emit_copy(p, port);
	return OUTPUT(SELF(noutputs) - 1);
}
