"""Tracing a loaded router from another process, by a command to its control socket."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from clickbpf.errors import ClickError
from clickbpf.graph.elaborate import read_text
from clickbpf.graph.router import Router
from clickbpf.load.change.tracing import HEAD, TRACE, TraceRequest
from clickbpf.load.devices.record import record
from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service
from clickbpf.nearest import did_you_mean
from clickbpf.observe.traced.events import Event, Kind, events
from clickbpf.observe.traced.packets import Names, PacketPath, Packets
from clickbpf.runtime.client import ControlClient
from clickbpf.runtime.failures import HandlerError
from clickbpf.vocabulary.element import PULL_TO_PUSH, PUSH_TO_PULL
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.roles import Storage

#: The most packets whose last element a tap remembers.
MOST_REMEMBERED = 100_000


@dataclass
class Lost:
    """Losses of a trace: events in the runtime, and packets in the kernel that weren't traced at all."""

    events: int = 0
    packets: int = 0


@dataclass
class Traced:
    """A running trace; portions() updates `lost`."""

    names: Names
    _portions: Iterator[bytes]
    lost: Lost = field(default_factory=Lost)

    def portions(self) -> Iterator[list[Event]]:
        """Yield the events since the last time, repeatedly, even if there are none; ends if the router is replaced."""
        for portion in self._portions:
            missed, self.lost.packets = HEAD.unpack_from(portion)
            self.lost.events += missed
            yield list(events(portion[HEAD.size :]))

    def paths(self, most: int | None = None, dropped: bool = False) -> Iterator[PacketPath | None]:
        """Yield the paths of at most `most` packets, or only of dropped ones, and None now and then, when there is nothing to report.
        Unfinished paths are only reported if the trace ends by itself, not after the generator's close()."""
        packets, count = Packets(self.names, time.monotonic), 0
        for found in self.portions():
            for event in found:
                packets.add(event)
            for path in packets.ready():
                if dropped and not path.dropped:
                    continue
                yield path
                count += not path.goes_on
                if count == most:
                    return
            yield None
        yield from (path for path in packets.ready(True) if path.dropped or not dropped)


class Tap:
    """Selects the packets at one input or output of an element. Since events only tell inputs, a packet is at an output if it appears at an
    input connected to it and, where other elements are connected to that input, has come from this one."""

    def __init__(self, router: Router, element: str, port: int, is_output: bool):
        """ClickError if there is no such port."""
        if element not in router:
            raise ClickError(f"there is no element '{element}'", hint=did_you_mean(element, router.by_name))
        found = router.connections_from(element, port) if is_output else router.connections_to(element, port)
        if not found and (is_output or port):
            side = "output" if is_output else "input"
            raise ClickError(f"nothing is connected to {side} {port} of '{element}'")
        #: Inputs (element, port) where the packets are seen.
        self._inputs = {(each.target.element, each.target.port) for each in found} if is_output else {(element, port)}
        self._source = element if is_output else None
        sources = {each.source.element for name, port in self._inputs for each in router.connections_to(name, port)} if is_output else set()
        self._sources = sources if len(sources) > 1 else set()
        self._last: dict[int, str] = {}
        self.elements = tuple(sorted({name for name, _ in self._inputs} | self._sources))

    def takes(self, event: Event, names: Names) -> bool:
        """Whether the packet is at this port. Must be called for all events, in order."""
        if event.kind is not Kind.INPUT:
            self._last.pop(event.number, None)
            return False
        name = names.elements[event.element][0]
        here = (name, event.port) in self._inputs and (not self._sources or self._last.get(event.number) == self._source)
        if name in self._sources:
            self._last[event.number] = name
            while len(self._last) > MOST_REMEMBERED:
                self._last.pop(next(iter(self._last)))
        return here


@contextmanager
def traced(name: str, request: TraceRequest) -> Iterator[Traced]:
    """Trace a router within this context; afterwards the router is as before. ClickError if it can't be traced."""
    folder = RunFolder.of(name)
    if not service.alive(folder):
        message = f"the runtime of {name} is not running, and only it can trace packets"
        raise ClickError(message, hint=f"clickbpf load --runtime-only {name}")
    with ControlClient(folder.control) as client:
        try:
            portions = client.stream(TRACE, request.to_text())
        except HandlerError as error:
            raise ClickError(error.message.removeprefix("error: ")) from None
        try:
            yield Traced(names_of(folder), portions)
        finally:
            client.finish()


def router_of(name: str) -> Router:
    """The graph of a loaded router."""
    return read_text(RunFolder.of(name).manifest().configuration, name=name)


def names_of(folder: RunFolder) -> Names:
    """The names for the numbers in a router's events."""
    manifest, loaded = folder.manifest(), record(folder)
    library = Library.standard(loaded.trusted_library())
    classes = {each: library.find(each) for each in {element.class_name for element in manifest.elements} if library.known(each)}
    written = {name: class_.annotations for name, class_ in classes.items()}
    waiting = {name for name, class_ in classes.items() if issubclass(class_, Storage) or class_.processing in (PUSH_TO_PULL, PULL_TO_PUSH)}
    devices = [loaded.devices.get(device, device) for device in manifest.devices]
    return Names([(element.name, element.class_name) for element in manifest.elements], devices, written, waiting)
