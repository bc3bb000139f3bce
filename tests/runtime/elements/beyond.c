ELEMENT(Beyond)
{
	p->tail[0] = 0;
	return OUTPUT(0);
}
