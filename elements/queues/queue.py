from collections.abc import Iterable, Sequence

from clickbpf.declare import (
    ELIDABLE, KEPT, LANE, LANE_COUNT, LOST, MOST_WAITING, NOTIFIES_FULL, TWO_SIDED, USER, ArgError, Held, Integer, Optional, Private,
    Reconfigurable, Self, Storage, c_string, declared_class, ptr, read_handler, sum_handler, u32, u64, write_handler,
)

from ..common._warning import warn

#: The greatest capacity.
MOST = (1 << 31) - 1
#: Consecutive pulls in vain after which tasks that pull are left to sleep until a packet comes.
SLEEPINESS = 9


class Queue(Reconfigurable, Storage, ports="1/1-2", processing="h/lh", runs=USER, traits=ELIDABLE | NOTIFIES_FULL | TWO_SIDED):
    __doc__ = f"""stores packets in a FIFO queue

    Packets pushed into it wait, first in, first out, until they are pulled. A packet that arrives when CAPACITY packets are waiting
    leaves by output 1, or is dropped if it isn't connected. The first drop is reported on standard error.

    Tasks that pull from a Queue sleep while it is empty, after ten attempts (one for a QuickNoteQueue), and wake when a packet
    comes. InfiniteSources that push into it sleep while it is full and wake when there is room.

    If a Queue leads to a single device, and no element between them makes decisions, the device's own transmit ring takes the
    Queue's place in the kernel path (`clickbpf plan` shows this). With `load --spread`, a Queue of at most {MOST_WAITING} packets stays
    in the kernel if it leads to an Unqueue that StaticThreadSched gives a thread: its packets wait for that thread's CPU. `reset`
    doesn't drop these, and `highwater_length` doesn't count them.

    Example: FromDevice(eth0) -> Queue(200) -> ToDevice(eth1);
    """

    #: Set the capacity, drop all packets, take the packets of another router's queue.
    operations = ("SET_CAPACITY", "RESET", "TAKEN")
    aliases = ("FullNoteQueue", "QuickNoteQueue", "ThreadSafeQueue", "MSQueue")
    args = (Optional("CAPACITY", Integer(32, low=0, high=MOST), 1000, "Integer. Packets that may wait"),)
    #: First what seldom changes, then what each side writes: two cache lines for each, since CPUs may fetch pairs of them.
    state_types = {
        "queue": Private(
            slots=ptr, capacity=u32, found_empty=u32, found_full=u32, pushing=u64 * 13, drops=u64, last=u32, seen_first=u32, highwater=u32,
            unshown=u32, showing=u64 * 13, shown=u32, pulling=u32 * 31, first=u32, seen_last=u32, in_vain=u32,
        ),
        "lane": LANE,
    }
    holds = (Held("packets that wait", KEPT, LOST),)
    storage = ("queue", "last", "first", "capacity")

    def code(self) -> str:
        declared = declared_class(self)
        title = f"{self.name} :: {'Queue' if declared == 'FullNoteQueue' else declared}"
        sleepiness = 0 if declared == "QuickNoteQueue" else SLEEPINESS
        return f"static const char SELF(title)[] = {c_string(title)};\nstatic const __u32 SELF(sleepiness) = {sleepiness};\n"

    def warnings(self) -> Iterable[ArgError]:
        if declared_class(self) == "MSQueue":
            yield ArgError("MSQueue is deprecated, use ThreadSafeQueue instead")

    def joined(self, others: Sequence[Self]) -> str:
        """The arguments of one Queue that replaces several, with the sum of their capacities."""
        return str(min(self.cfg.capacity + sum(other.cfg.capacity for other in others), MOST))

    def initialise(self) -> None:
        self.state.queue.capacity = self.cfg.capacity
        self.state.queue.found_empty = True
        self.state.lane.capacity = min(self.cfg.capacity, MOST_WAITING)

    def reconfigure(self, wanted: Self) -> None:
        self.cfg = wanted.cfg
        self._control("SET_CAPACITY", wanted.cfg.capacity)

    def take_state(self, before: Self) -> None:
        """Take the packets; those without room are lost."""
        own, old = self.state.queue, before.state.queue
        length = before._waiting()
        for field in ("slots", "first", "last", "seen_first", "seen_last", "shown"):
            setattr(own, field, getattr(old, field) or 0)
            setattr(old, field, 0)
        self.runtime.adopt_packets(before, length)
        if length > own.capacity:
            warn(self, f"some packets lost (old length {length}, new capacity {own.capacity})")
        own.highwater = min(length, own.capacity)
        self._control("TAKEN", own.capacity)

    length = read_handler(lambda self: str(self._waiting() + self.in_kernel), text="the packets waiting")
    highwater_length = sum_handler("queue", "highwater", text="the largest length so far")
    drops = read_handler(lambda self: str(self.state.queue.drops + self.state.lane.refused), text="packets dropped")
    capacity = sum_handler("queue")

    @write_handler("capacity")
    def write_capacity(self, text: str) -> None:
        try:
            capacity = type(self).args[0].type.parse(text.strip())
        except ArgError as error:
            said = error.in_click and f"CAPACITY: {error.in_click}"
            raise ArgError(f"CAPACITY: {error.message}", error.hint, in_click=said, result=-1) from None
        self._control("SET_CAPACITY", capacity)
        given = self.runtime.handlers.read(self.name, "config").split()
        self.runtime.has_arguments(str(capacity) if len(given) == 1 else f"CAPACITY {capacity}")

    @write_handler
    def reset_counts(self, text: str) -> None:
        self.state.queue.drops = self.state.lane.refused = 0
        self.state.queue.highwater = self._waiting()

    @write_handler
    def reset(self, text: str) -> None:
        """drops all packets."""
        self._control("RESET")

    def _waiting(self) -> int:
        queue = self.state.queue
        first = queue.first  # read first, since the other may only grow
        return queue.last - first & 0xFFFFFFFF

    @property
    def in_kernel(self) -> int:
        """The packets that wait for another CPU."""
        lane = self.state.lane
        return max(0, (lane.entered & LANE_COUNT) - lane.left)

    def _control(self, op: int, argument: int = 0) -> None:
        if self.runtime is None:
            raise ArgError("the runtime that holds the packets is not running")
        if op == "SET_CAPACITY":
            self.state.lane.capacity = min(argument, MOST_WAITING)
        self.runtime.control(op, argument)
