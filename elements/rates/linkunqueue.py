
from clickbpf.declare import (
    KEPT, LOST, PULL_TO_PUSH, USER, ArgError, Held, Private, Required, Self, Storage, Time, control_handler, field_handlers, ptr,
    sum_handler, u8, u32, u64, value_handlers,
)

from ..common._rates import BYTES

#: The bandwidth is stored in units of this many bytes per second.
UNIT = 100


class LinkUnqueue(Storage, processing=PULL_TO_PUSH, runs=USER):
    """pull-to-push converter that behaves like a serial link

    A packet's transmission begins after the packets before it, and takes its length (plus its EXTRA_LENGTH annotation) at
    BANDWIDTH. After another LATENCY the packet is pushed on, with that time as its timestamp. Packets are pulled as soon as the
    link has room, at most 65536; others can wait in a Queue upstream.

    Example: FromDevice(eth0) -> Queue -> LinkUnqueue(20ms, 2Mbps) -> Queue -> ToDevice(eth1);
    """

    wakes = ("timer", "init")
    #: Drop all packets; send packets taken over from another router's link.
    operations = ("EMPTY", "TAKEN")
    args = (
        Required("LATENCY", Time(), "Time"),
        Required("BANDWIDTH", BYTES, "Bandwidth, such as `384kbps`, at least 100 bytes per second; rounded down to a multiple of 100 "
            "bytes per second"),
    )
    #: `latency`: in ns; `bandwidth`: in UNITs; `busy`: the last packet was followed by no gap.
    state_types = {"link": Private(head=ptr, tail=ptr, latency=u64, bandwidth=u32, size=u32, busy=u8)}
    holds = (Held("packets that wait", KEPT, LOST),)
    storage = ("link", "size", None, None)

    def configure(self) -> None:
        if self.cfg.bandwidth < UNIT:
            raise ArgError("bandwidth too small, minimum 100Bps", argument="BANDWIDTH")

    def initialise(self) -> None:
        self.state.link.latency, self.state.link.bandwidth = self.cfg.latency, self.cfg.bandwidth // UNIT

    def take_state(self, before: Self) -> None:
        """Take the packets with their departure times."""
        own, old = self.state.link, before.state.link
        for field in ("head", "tail", "size", "busy"):
            setattr(own, field, getattr(old, field) or 0)
            setattr(old, field, 0)
        self.runtime.adopt_packets(before, own.size)
        self.notify("TAKEN")

    latency = field_handlers("link", Time(), "notify", wrong="latency must be a timestamp", text="LATENCY. Writing empties the link")

    def _set_bandwidth(self, bandwidth: int) -> None:
        if bandwidth < UNIT:
            raise ArgError("bandwidth too small, minimum 100Bps")
        self.state.link.bandwidth = bandwidth // UNIT
        self.notify()

    bandwidth = value_handlers(BYTES, lambda self: str(self.state.link.bandwidth * UNIT), _set_bandwidth, wrong="invalid bandwidth",
        text="BANDWIDTH in bytes per second. Writing empties the link.")
    size = sum_handler("link", text="packets on the link")
    reset = control_handler("EMPTY", text="drops all packets on the link")
