ELEMENT(Careless)
{
	(void)p;
	(void)input;
	private(seen)->count++;
	return OUTPUT(0);
}
