ELEMENT(StaticSwitch)
{
	return cfg.output >= 0 && cfg.output < SELF(noutputs) ? OUTPUT(cfg.output) : DROP(DISCARDED);
}
