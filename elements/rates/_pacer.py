"""The base of Pacer and BandwidthPacer: both executors take departure times from one shared word."""

from typing import ClassVar, Self

from clickbpf.declare import (
    KEPT, LOST, PUSH, ArgError, Delayer, Held, PerThread, Private, Vars, ptr, read_handler, reset_handler, sum_handler, u32, u64,
    value_handlers,
)

from ..common._bucket import rate_type
from ..common._clock import now

NS_PER_SECOND = 10**9


#: The classes' manual pages.
MANUAL = """sends packets on at an even rate, without waiting for a puller

    Each packet leaves at the first free time, at RATE {unit} per second. A packet with more than CAPACITY {unit} before it is
    dropped. So a {name} before a Queue is like a Queue before a {shaper}, but without bursts: idle time is not made up for.

    On TC, IP packets wait in the kernel, in a device's fq qdisc, on three conditions: a Queue and the device's ToDevice follow; fq
    has room for CAPACITY, `tc qdisc replace dev eth1 root fq flow_limit N` with N of at least {packets}; and CAPACITY at RATE takes
    no longer than fq's `horizon`, 10 seconds by default. Other packets wait in user space. Packets of a flow leave in order.
    Packets that wait in the kernel leave on time even if the router is unloaded.

    Handlers:

      - `length` (read): {length}; after a change of `rate`, the number that takes the same time at the new rate.

    Example: FromDevice(eth0) -> {name}({example}) -> Queue -> ToDevice(eth1);
    """


class PacerElement(Delayer, processing=PUSH, runs=frozenset({"tc", "user"})):
    """Its arguments are RATE and CAPACITY, in the same unit."""

    same_form = True
    wakes = ("timer", "control")
    #: `next`: the next free departure time, by now() in C; `longest`: the longest wait, in ns; `slots`: a ring of the runtime's
    #: packets and their departure times.
    state_types = {
        "pacer": Vars(next=u64, longest=u64, rate=u32),
        "waiting": Private(slots=ptr, first=u32, room=u32, length=u32),
        "counters": PerThread(drops=u64),
    }
    holds = (Held("packets that wait", KEPT, LOST), Held("when the next packet leaves", KEPT, KEPT))
    weight = 120
    #: The minimum that a packet counts for.
    least: ClassVar[int] = 1
    derived = {"packets": ("__u32", lambda self: self.cfg.packets)}

    def configure(self) -> None:
        if not self.cfg.rate:
            raise ArgError("RATE must be positive", argument="RATE")
        #: The most packets that may wait.
        self.cfg.packets = -(-self.cfg.capacity // self.least)

    def longest_wait(self) -> tuple[int, int]:
        return self.cfg.packets, self.time(self.cfg.capacity, self.cfg.rate)

    def initialise(self) -> None:
        self._assign(self.cfg.rate)

    def _assign(self, rate: int) -> None:
        self.state.pacer.rate = rate
        self.state.pacer.longest = self.time(self.cfg.capacity, rate)

    def take_state(self, before: Self) -> None:
        """Take packets with their departure times. This kernel path may already have assigned times: keep the later `next`."""
        self.state.pacer.next = max(self.state.pacer.next, before.state.pacer.next)
        own, old = self.state.waiting, before.state.waiting
        for field in ("slots", "first", "room", "length"):
            setattr(own, field, getattr(old, field) or 0)
            setattr(old, field, 0)
        self.runtime.adopt_packets(before, own.length)
        self.notify()

    def _change(self, rate: int) -> None:
        if not rate:
            raise ArgError("rate must be positive")
        self._assign(rate)

    rate = value_handlers(rate_type, lambda self: self.state.pacer.rate, _change, text="RATE, for later packets.")
    length = read_handler(lambda self: str(self.waiting(max(0, self.state.pacer.next - now(self)), self.state.pacer.rate)))

    def time(self, amount: int, rate: int) -> int:
        """Nanoseconds to send `amount` at `rate`."""
        raise NotImplementedError

    def waiting(self, time: int, rate: int) -> int:
        """The amount queued before a new packet that would leave after `time` ns."""
        raise NotImplementedError

    capacity = read_handler(lambda self: str(self.cfg.capacity), text="CAPACITY.")
    drops = sum_handler("counters", text="packets dropped")
    reset_counts = reset_handler("counters", text="makes `drops` 0.")
