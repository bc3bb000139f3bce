ELEMENT(StaticSwitch)
{
	return cfg.output >= 0 && cfg.output < cfg.noutputs ? OUTPUT(cfg.output) : DROP(DISCARDED);
}
