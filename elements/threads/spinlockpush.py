from clickbpf.declare import PUSH

from ._spinlock import SpinlockElement


class SpinlockPush(SpinlockElement, processing=PUSH):
    """holds a spinlock while a packet is pushed on

    Takes the lock, pushes the packet, and releases the lock when the push is over, even if the packet was dropped or stored.

    Example:

        SpinlockInfo(lock);
        FromDevice(eth0) -> SpinlockPush(lock) -> Paint(1) -> Discard;
    """
