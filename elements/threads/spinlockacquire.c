ELEMENT(SpinlockAcquire)
{
	(void)p;
	(void)input;
	spinlock_take(SPINLOCK);
	return OUTPUT(0);
}
