ELEMENT(CPUSwitch)
{
	(void)p;
	(void)input;
	return OUTPUT(this_processor() % SELF(noutputs));
}
