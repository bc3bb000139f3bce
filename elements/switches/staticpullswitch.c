PULL()
{
	return pull(cfg.input);	/* NULL where there is no such input */
}
