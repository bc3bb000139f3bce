ELEMENT(Align)
{
	return OUTPUT(0);
}
