ELEMENT(SpinlockAcquire)
{
	spinlock_take(SPINLOCK);
	return OUTPUT(0);
}
