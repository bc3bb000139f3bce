from ._spinlock import SpinlockElement


class SpinlockRelease(SpinlockElement):
    """releases a spinlock

    Releases the lock that an earlier SpinlockAcquire took, and passes packets on.

    Example:

        SpinlockInfo(lock);
        FromDevice(eth0) -> SpinlockAcquire(lock) -> Paint(1) -> SpinlockRelease(lock) -> Discard;
    """
