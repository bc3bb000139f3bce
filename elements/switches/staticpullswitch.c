/* StaticPullSwitch: pulls from one fixed input. */
PULL()
{
	(void)output;
	return pull(cfg.input);	/* NULL where there is no such input */
}
