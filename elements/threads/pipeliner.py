from __future__ import annotations

from clickbpf.args import ArgError, Bool, Integer, Keyword, Optional, Raw
from clickbpf.vocabulary.element import PUSH, USER, Element, field_handlers, sum_handler
from clickbpf.vocabulary.held import COUNTED, LOST, Held
from clickbpf.vocabulary.state import PerThread, Private, ptr, s32, u8, u32, u64

#: The capacity without CAPACITY, or with one that isn't positive; and the least and the greatest.
DEFAULT, LEAST, MOST = 1024, 4, 1 << 24
#: A burst without an end.
ENDLESS = (1 << 32) - 1


class Pipeliner(Element):
    """hands packets over to another thread

    Synopsis: `Pipeliner([CAPACITY, BURST, BLOCKING, KEYWORD ...])`

    Packets that any thread pushes at it are pushed on by its own thread, the one that StaticThreadSched assigns. They wait in a ring
    for each thread that they come from, and packets of one ring stay in order. Packets that its own thread pushes at it go on at once. With
    a single thread it does nothing.

    It is an element of FastClick, where Unqueue after ThreadSafeQueue would do the same more slowly.

    Arguments:

      - CAPACITY: Integer, at least 4. The packets that a ring has room for. Default is 1024, and so is a number that isn't positive.
      - BURST: Integer. That many packets of a ring are pushed before it is the next ring's turn. Default is 32; there is no limit if it
        isn't positive.
      - BLOCKING: Boolean. Whether a thread that finds its ring full waits for room. If false, the default, the packet is dropped.
      - ACTIVE: Boolean. If false, packets wait. Default is true.
      - DIRECT_TRAVERSAL: Boolean. If false, packets of its own thread wait in a ring, too, where they are dropped if it is full. Default
        is true.
      - ALWAYS_UP, NOUSELESS, VERBOSE, PREFETCH: Arguments of FastClick. Accepted, of no effect.

    Ports: one or more push inputs, one push output.

    Handlers:

      - `count` (read): packets that were put into a ring.
      - `dropped` (read): how often there was no room.
      - `highwater` (read): the most packets that were left in a ring at the end of its turn.
      - `active` (read, write): ACTIVE.

    Example:

        FromDevice(eth0) -> p :: Pipeliner(BLOCKING true) -> CheckIPHeader(14) -> Queue -> ToDevice(eth1);
        StaticThreadSched(p 1);
    """

    ports = "1-/1"
    processing = PUSH
    runs = USER
    entries = ("task", "init", "cleanup", "control")
    wakes = ("control",)
    args = (
        Optional("CAPACITY", Integer(32, signed=True, high=MOST), -1),
        Optional("BURST", Integer(32, signed=True), 32),
        Optional("BLOCKING", Bool(), False),
        Keyword("ACTIVE", Bool(), True),
        Keyword("DIRECT_TRAVERSAL", Bool(), True),
        *(Keyword(name, Raw()) for name in ("ALWAYS_UP", "NOUSELESS", "VERBOSE", "PREFETCH")),
    )
    state_types = {
        "rings": PerThread(packets=ptr, first=u32, length=u32, count=u64, dropped=u64),
        "pipe": Private(turn=u32, highwater=u32, gate=s32, closed=u8, active=u8),
    }
    holds = (Held("packets that wait", COUNTED, LOST),)

    def configure(self) -> None:
        if 0 < self.cfg.capacity < LEAST:
            raise ArgError("Pipeliner ring size must be at least 4", argument="CAPACITY")

    def constants(self):
        capacity, burst = self.cfg.capacity, self.cfg.burst
        return {"capacity": ("__u32", str(capacity if capacity > 0 else DEFAULT)), "burst": ("__u32", str(burst if burst > 0 else ENDLESS))}

    def initialise(self) -> None:
        self.state.pipe.active = self.cfg.active

    count = sum_handler("rings")
    dropped = sum_handler("rings")
    highwater = sum_handler("pipe")
    active = field_handlers("pipe", Bool(), "notify")
