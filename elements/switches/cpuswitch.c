ELEMENT(CPUSwitch)
{
	return OUTPUT(this_processor() % SELF(noutputs));
}
