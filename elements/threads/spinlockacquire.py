from ._spinlock import SpinlockElement


class SpinlockAcquire(SpinlockElement):
    """takes a spinlock

    Passes packets on once its thread holds the lock; the thread may hold it already. A SpinlockRelease further on has to let it
    go: a packet that is dropped or stored between the two leaves the lock with the thread, and others wait until the router
    stops.

    Example:

        SpinlockInfo(lock);
        FromDevice(eth0) -> SpinlockAcquire(lock) -> Paint(1) -> SpinlockRelease(lock) -> Discard;
    """
