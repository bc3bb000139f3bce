ELEMENT(PathSpinlock)
{
	spinlock_take(SPINLOCK);
	emit(p, input);
	spinlock_release(SPINLOCK);
	return STOLEN;
}

PULL()
{
	struct pkt *p;

	spinlock_take(SPINLOCK);
	p = pull(output);
	spinlock_release(SPINLOCK);
	return p;
}
