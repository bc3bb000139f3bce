PULL()
{
	for (__u32 port = 0; port < SELF(ninputs); port++) {
		struct pkt *p = pull(port);

		if (p)
			return p;
	}
	return NULL;
}
