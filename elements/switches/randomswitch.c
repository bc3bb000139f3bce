ELEMENT(RandomSwitch)
{
	return OUTPUT((__u64)random_u32() * cfg.noutputs >> 32);
}
