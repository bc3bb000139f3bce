from clickbpf.declare import AGNOSTIC, Optional, String

from ._spinlock import SpinlockElement


class PathSpinlock(SpinlockElement, ports="1-/=", processing=AGNOSTIC, flow="#/#"):
    """holds a spinlock while a packet is pushed on or pulled

    A class of FastClick. In a push context it takes the lock, pushes the packet, and releases the lock when the push is over, as
    SpinlockPush does. In a pull context it holds the lock during the pull. Packets from input N leave by output N.

    Example: only one thread at a time is in what follows:

        FromDevice(eth0) -> PathSpinlock -> Paint(1) -> Discard;
    """

    args = (Optional("LOCK", String(), text="a name that a SpinlockInfo declares. Without it, the element has its own lock"),)

    def configure(self) -> None:
        if self.cfg.lock is None:
            self._lock = f"of {self.name}"
        else:
            super().configure()
