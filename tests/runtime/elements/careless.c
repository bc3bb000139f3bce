ELEMENT(Careless)
{
	(void)p;
	private(seen)->count++;
	return OUTPUT(0);
}
