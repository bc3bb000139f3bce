ELEMENT(RandomSwitch)
{
	return OUTPUT((__u64)random_u32() * SELF(noutputs) >> 32);
}
