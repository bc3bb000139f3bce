"""The paths of packets: events grouped by packet number, with a step for each element."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from clickbpf.frozen import frozen
from clickbpf.observe.traced.changes import changes
from clickbpf.observe.traced.events import Event, Kind
from clickbpf.observe.traced.headers import summary
from clickbpf.vocabulary.drops import REASONS

#: Seconds without an event after which a packet is reported, if it has ended (its copies may go on) and if it hasn't.
SETTLED, WAITING = 0.1, 2.0
#: The most events kept of a packet, which may be in a loop.
MOST_EVENTS = 4096


@frozen
class Names:
    """The meaning of a router's numbers: elements (name, class) and devices by index; the annotations `written` by each class, and the
    classes in which packets wait (`waiting`)."""

    elements: Sequence[tuple[str, str]]
    devices: Sequence[str]
    written: Mapping[str, Sequence[str]]
    waiting: Collection[str] = ()

    def device(self, index: int) -> str:
        return self.devices[index] if 0 <= index < len(self.devices) else "the runtime"


@frozen
class Step:
    """A packet at an input of an element: the executor, and the element's changes as text."""

    element: str
    class_name: str
    port: int
    where: str
    changes: tuple[str, ...]


@frozen
class PacketPath:
    """A packet's path, as far as it is known. `ends` shows how the packet and its copies ended; `events` are in order of time."""

    number: int
    came_from: str
    summary: str
    steps: tuple[Step, ...]
    ends: tuple[str, ...]
    events: tuple[Event, ...]
    #: Whether this continues the path of a packet that was reported before.
    goes_on: bool = False

    @property
    def dropped(self) -> bool:
        return any(event.kind is Kind.DROP for event in self.events)


class Packets:
    """Collects events; `clock` returns seconds. Packets are numbered in order of appearance."""

    def __init__(self, names: Names, clock: Callable[[], float]):
        self._names, self._clock = names, clock
        self._events: dict[int, list[Event]] = {}
        self._heard: dict[int, float] = {}
        self._numbers: dict[int, int] = {}
        self._told: set[int] = set()

    def add(self, event: Event) -> None:
        self._numbers.setdefault(event.number, len(self._numbers) + 1)
        self._heard[event.number] = self._clock()
        found = self._events.setdefault(event.number, [])
        if len(found) < MOST_EVENTS:
            found.append(event)

    def ready(self, all_: bool = False) -> Iterator[PacketPath]:
        """The paths of packets without recent events, or of all packets."""
        for number in sorted(self._events, key=lambda number: self._numbers[number]):
            over = any(event.kind is not Kind.INPUT for event in self._events[number])
            if all_ or self._clock() - self._heard[number] >= (SETTLED if over else WAITING):
                yield self._path(number)

    def _path(self, number: int) -> PacketPath:
        found = sorted(self._events.pop(number), key=lambda event: event.time)
        del self._heard[number]
        first = found[0]
        goes_on = number in self._told
        self._told.add(number)
        came_from = self._names.device(first.device)
        steps = tuple(_merged(list(self._steps(found))))
        return PacketPath(self._numbers[number], came_from, summary(first), steps, tuple(self._ends(found)), tuple(found), goes_on)

    def _steps(self, found: Sequence[Event]) -> Iterator[Step]:
        for event, following in zip(found, (*found[1:], None)):
            if event.kind is Kind.INPUT:
                name, class_name = self._names.elements[event.element]
                done = changes(event, following, self._names.written.get(class_name, ())) if following else []
                yield Step(name, class_name, event.port, "kernel" if event.in_kernel else "runtime", tuple(done))

    def _ends(self, found: Sequence[Event]) -> Iterator[str]:
        for event in found:
            if event.kind is Kind.DROP:
                name, meaning = list(REASONS.items())[event.detail]
                yield f"dropped by {self._names.elements[event.element][0]}: {name}, {meaning}"
            elif event.kind is Kind.SENT:
                yield f"sent by {self._names.device(event.detail)}, {event.length} bytes"
            elif event.kind is Kind.HOST:
                yield f"given to Linux on {self._names.device(event.detail)}, {event.length} bytes"
            elif event.kind is Kind.SNIFFED:
                yield f"shown to packet sockets on {self._names.device(event.detail)}"
        if found[-1].kind is Kind.INPUT:
            yield f"waits in {self._names.elements[found[-1].element][0]}, or ended there"


def _merged(steps: Sequence[Step]) -> Iterator[Step]:
    """Join the two events of an element at which the kernel path handed over and the runtime continued: they are one step."""
    for step, following in zip(steps, (*steps[1:], None)):
        same = following and (step.element, step.port) == (following.element, following.port)
        if same and step.where == "kernel" and following.where == "runtime" and not step.changes:
            continue
        yield step
