/* SELF(match) is compiled from the patterns. */
ELEMENT(Classifier)
{
	return SELF(match)(p);
}
