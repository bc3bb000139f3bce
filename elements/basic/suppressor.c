ELEMENT(Suppressor)
{
	const struct SELF(ports) *port = at(ports, input);

	return port && !port->shut ? OUTPUT(input) : DROP(DISCARDED);
}

#if USERSPACE

PULL()
{
	return at(ports, output)->shut ? NULL : pull(output);
}

/* A port may be open again. */
CONTROL()
{
	(void)op;
	(void)argument;
	wake_pullers();
	return 0;
}

#endif
