PULL()
{
	struct pkt *p = NULL;

	(void)output;
	for (int i = 0; !p && i < cfg.ninputs; i++)
		p = pull(i);
	return p;
}
