ELEMENT(Idle)
{
	return DROP(DISCARDED);
}

#if USERSPACE

PULL()
{
	return NULL;
}

#endif
