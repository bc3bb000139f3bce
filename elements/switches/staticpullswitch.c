PULL()
{
	return pull(cfg.input);	/* NULL if there is no such input */
}
