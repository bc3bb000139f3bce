PULL()
{
	struct pkt *p = NULL;

	for (int i = 0; !p && i < SELF(ninputs); i++)
		p = pull(i);
	return p;
}
