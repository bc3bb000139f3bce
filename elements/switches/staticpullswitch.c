/* StaticPullSwitch: pulls from one fixed input. */
PULL()
{
	return pull(cfg.input);	/* NULL where there is no such input */
}
