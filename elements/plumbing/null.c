ELEMENT(Null)
{
	return OUTPUT(0);
}
