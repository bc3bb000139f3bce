from __future__ import annotations

from ._spinlock import SpinlockElement


class SpinlockRelease(SpinlockElement):
    """releases a spinlock

    Synopsis: `SpinlockRelease(LOCK)`

    Passes packets on and lets the lock go that a SpinlockAcquire before it has taken.

    Arguments:

      - LOCK: a name that a SpinlockInfo has given.

    Ports: one input, one output.

    Example:

        SpinlockInfo(lock);
        FromDevice(eth0) -> SpinlockAcquire(lock) -> Paint(1) -> SpinlockRelease(lock) -> Discard;
    """
