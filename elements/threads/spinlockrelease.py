from ._spinlock import SpinlockElement


class SpinlockRelease(SpinlockElement):
    """releases a spinlock

    Passes packets on and lets the lock go that a SpinlockAcquire before it has taken.

    Example:

        SpinlockInfo(lock);
        FromDevice(eth0) -> SpinlockAcquire(lock) -> Paint(1) -> SpinlockRelease(lock) -> Discard;
    """
