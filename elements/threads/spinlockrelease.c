ELEMENT(SpinlockRelease)
{
	(void)p;
	(void)input;
	spinlock_release(SPINLOCK);
	return OUTPUT(0);
}
