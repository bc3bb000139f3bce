ELEMENT(SpinlockRelease)
{
	spinlock_release(SPINLOCK);
	return OUTPUT(0);
}
