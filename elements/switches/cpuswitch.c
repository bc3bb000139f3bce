ELEMENT(CPUSwitch)
{
	(void)p;
	(void)input;
	return OUTPUT(this_thread() % SELF(noutputs));
}
