/* Elements with two paths: values read from packets of the first are written into packets of the second. Included once for each
 * instance, after SELF(learn)(p), which gives OUTPUT(0) or PUNT, and SELF(write)(p), false for a packet that is too short.
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
