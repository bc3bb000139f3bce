/* Elements with two paths: values read from packets on the first are written into packets on the second. Included once for each
 * instance, after SELF(learn)(p), which returns OUTPUT(0) or PUNT, and SELF(write)(p), false for a packet that is too short.
 */
ELEMENT(Copying)
{
	if (input == 0)
		return SELF(learn)(p);
	return SELF(write)(p) ? OUTPUT(1) : DROP(MALFORMED);
}

#if USERSPACE

PULL()
{
	struct pkt *p = pull(output);

	if (!p)
		return NULL;
	if (SELF(action)(p, output) == output)
		return p;
	discard(p, MALFORMED);
	wake_pullers();
	return NULL;
}

#endif
