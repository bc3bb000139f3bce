from __future__ import annotations

from clickbpf.vocabulary.element import PUSH

from ._spinlock import SpinlockElement


class SpinlockPush(SpinlockElement):
    """holds a spinlock while a packet is pushed on

    Synopsis: `SpinlockPush(LOCK)`

    Takes the lock, pushes the packet, and releases the lock when the push is over, wherever the packet is by
    then. So nothing is lost if it is dropped on the way.

    Arguments:

      - LOCK: a name that a SpinlockInfo has given.

    Ports: one push input, one push output.

    Example:

        SpinlockInfo(lock);
        FromDevice(eth0) -> SpinlockPush(lock) -> Paint(1) -> Discard;
    """

    processing = PUSH
