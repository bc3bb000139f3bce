ELEMENT(SpinlockPush)
{
	spinlock_take(SPINLOCK);
	emit(p, 0);
	spinlock_release(SPINLOCK);
	return STOLEN;
}
