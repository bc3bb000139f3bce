ELEMENT(PullTee)
{
	if (!USERSPACE)
		return COPIES(0);
	for (int port = 1; port < SELF(noutputs); port++)
		emit_copy(p, port);
	return OUTPUT(0);
}
