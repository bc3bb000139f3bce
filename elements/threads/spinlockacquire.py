from ._spinlock import SpinlockElement


class SpinlockAcquire(SpinlockElement):
    """takes a spinlock

    Passes packets on once its thread holds the lock; the thread may hold it already. A SpinlockRelease further on has to release
    it: if a packet is dropped or stored between the two, the thread keeps the lock, and other threads wait until the router stops.

    Example:

        SpinlockInfo(lock);
        FromDevice(eth0) -> SpinlockAcquire(lock) -> Paint(1) -> SpinlockRelease(lock) -> Discard;
    """
