"""Snapshots of a loaded router: its elements' numbers, its drops, and its process's use of resources.

Counts that the kernel path shares are read from memory, which costs the router nothing and works without its runtime. Other numbers are
read from the runtime's handlers.
"""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.access.access import Access
from clickbpf.load.access.listing import Loaded, describe
from clickbpf.load.devices.record import record
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.files.process import Usage
from clickbpf.load.path.kernelpath import KernelPath, cpus
from clickbpf.load.process import service
from clickbpf.objects.manifest import ElementEntry
from clickbpf.observe import dropcounts
from clickbpf.vocabulary.element import AGNOSTIC, PULL_TO_PUSH, Element
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.state import PerThread, Private, Vars
from clickbpf.vocabulary.traits import COUNTS_OTHERWISE

#: Seconds without an answer after which a router is considered hung; the other routers must not wait for it.
PATIENCE = 10.0
#: The executors that count.
KERNEL, RUNTIME = "kernel", "runtime"
#: Handlers with totals since the start, read if no state of that name is shared with the kernel path.
COUNTS = ("count", "byte_count")
#: Handlers with current or highest values.
LEVELS = ("length", "highwater_length", "size", "nmappings")


@frozen
class Number:
    """A number of an element under its handler's name; for counts, `executor` is the one that counted."""

    element: str
    class_name: str
    name: str
    value: float
    executor: str = RUNTIME


@frozen
class Snapshot:
    """A router at a `moment` (seconds of the monotonic clock).

    `classes` and `placements` (where they run) have all elements, in the configuration's order; `dropped` has packets by (element, reason);
    `usage` is the runtime process's, None if it isn't running.
    """

    moment: float
    loaded: Loaded
    classes: Mapping[str, str]
    placements: Mapping[str, str]
    counts: tuple[Number, ...]
    levels: tuple[Number, ...]
    dropped: Mapping[tuple[str, str], int]
    usage: Usage | None


@dataclass
class _Opened:
    """An opened router, which may have been replaced since. `shared` are counts in memory that both executors write to; `counts` and
    `levels` are the handlers to read, as (element, handler)."""

    identity: tuple
    access: Access
    elements: dict[str, ElementEntry]
    receivers: dict[str, ElementEntry]
    drops: dropcounts.Counts
    shared: list[tuple[ElementEntry, str, memoryview]] = field(default_factory=list)
    counts: list[tuple[ElementEntry, str]] = field(default_factory=list)
    levels: list[tuple[ElementEntry, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.classes = {name: entry.class_name for name, entry in self.elements.items()}
        self.placements = {name: entry.placement for name, entry in self.elements.items()}

    def readable(self, names: Collection[str]) -> list[tuple[ElementEntry, str]]:
        """The read handlers of these names, except writable levels, which are settings, such as CheckLength's `length`."""
        handlers = ((entry, each) for entry in self.elements.values() for each in entry.handlers)
        wanted = ((entry, each) for entry, each in handlers if each.read and each.name in names)
        return [(entry, each.name) for entry, each in wanted if not (each.write and each.name in LEVELS)]


class Observer:
    """Takes snapshots of the router that has this name at the time, ClickError if there is none. `counts` are the names of handlers with
    counts (by default all), `levels` those with current values."""

    def __init__(self, name: str, levels: Sequence[str] = LEVELS, counts: Collection[str] | None = None):
        self.name, self._levels, self._counts = name, levels, counts
        self._opened: _Opened | None = None

    def snapshot(self) -> Snapshot:
        """The router as it is now. If it is replaced during the snapshot, take one of its successor."""
        try:
            return self._snapshot(self._open())
        except (ClickError, OSError):
            self.close()
            return self._snapshot(self._open())

    def close(self) -> None:
        """Close the router; the next snapshot opens it again."""
        if self._opened is not None:
            self._opened.access.close()
        self._opened = None

    def _open(self) -> _Opened:
        folder = RunFolder.of(self.name)
        identity = (folder.version(), service.alive(folder))
        if self._opened is None or self._opened.identity != identity:
            self.close()
            self._opened = _open(self.name, identity, self._counts, self._levels)
        return self._opened

    def _snapshot(self, opened: _Opened) -> Snapshot:
        handlers = [*opened.counts, *opened.levels]
        loaded = describe(self.name)
        values = iter(list(opened.access.read_each([opened.drops.newest, *(f"{entry.name}.{name}" for entry, name in handlers)])))
        next(values)
        counts, levels = tuple(_numbers(opened.counts, values)), tuple(_numbers(opened.levels, values))
        return Snapshot(
            moment=time.monotonic(),
            loaded=loaded,
            classes=opened.classes,
            placements=opened.placements,
            counts=(*_shared(opened), *counts),
            levels=(*levels, *(_waiting(opened, loaded) if "length" in self._levels else ())),
            dropped=opened.drops.counts(),
            usage=service.usage(RunFolder.of(self.name)),
        )


def _open(name: str, identity: tuple, wanted: Collection[str] | None, levels: Sequence[str]) -> _Opened:
    access, folder = Access(name, PATIENCE, renounced=True), RunFolder.of(name)
    manifest = folder.manifest()
    elements = {entry.name: entry for entry in manifest.elements}
    library = Library.standard(record(folder).trusted_library())
    classes = {entry.name: library.find(entry.class_name) for entry in manifest.elements}
    with KernelPath.pinned(manifest, Pins.of(name)) as path:
        opened = _Opened(identity, access, elements, manifest.wired_to(sending=False), dropcounts.Counts(tuple(elements), path))
        for element, states in path.states(classes, only=PerThread).items():
            for state, view in states.items():
                names = [each for each in _counted(classes[element], state) if wanted is None or each in wanted]
                opened.shared += ((elements[element], each, view.column(each)) for each in names)
    known = {(entry.name, each) for entry, each, _ in opened.shared}
    counts = [each for each in COUNTS if wanted is None or each in wanted]
    unknown = ((entry, each) for entry, each in opened.readable(counts) if (entry.name, each) not in known)
    opened.counts = [(entry, each) for entry, each in unknown if each != "count" or is_of_packets(classes[entry.name])]
    opened.levels = opened.readable(levels)
    return opened


def counts_packets(element: Element) -> bool:
    """Whether the handler `count` is the number of packets that passed, counted by the action for all packets received or sent."""
    kept = (kind for kind in element.state_types.values() if isinstance(kind, (PerThread, Private)))
    through = element.processing in (AGNOSTIC, PULL_TO_PUSH) or not (element.ninputs and element.noutputs)
    return through and is_of_packets(type(element)) and any(f.name == "count" for kind in kept for f in kind.fields)


def is_of_packets(class_: type[Element]) -> bool:
    """Whether a handler `count` of the class counts packets, rather than a table's entries (a field of learnt state) or bytes."""
    learnt = (kind for kind in class_.state_types.values() if isinstance(kind, Vars))
    of_others = COUNTS_OTHERWISE in class_.traits or any(f.name == "count" for kind in learnt for f in kind.fields)
    return "count" in class_.handlers() and not of_others


def _counted(class_: type[Element], state: str) -> tuple[str, ...]:
    """The fields of a state that are counts: per-thread fields with a handler of the same name."""
    kind = class_.state_types[state]
    return tuple(f.name for f in kind.fields if f.name in class_.handlers()) if isinstance(kind, PerThread) else ()


def _shared(opened: _Opened) -> Iterator[Number]:
    """Counts in memory that both executors write to. A reset by a handler leaves them as they are."""
    first = cpus()
    for entry, name, column in opened.shared:
        values = column.tolist()
        for executor, part in ((KERNEL, values[:first]), (RUNTIME, values[first:])):
            yield Number(entry.name, entry.class_name, name, sum(part), executor)


def _waiting(opened: _Opened, loaded: Loaded) -> Iterator[Number]:
    """The packets that wait in per-CPU queues for receiving elements."""
    for device, name in loaded.devices.items():
        if name in loaded.levels and (entry := opened.receivers.get(device)):
            yield Number(entry.name, entry.class_name, "length", sum(level.depth for level in loaded.levels[name]), KERNEL)


def _numbers(handlers: Sequence[tuple[ElementEntry, str]], values: Iterator[str | ClickError]) -> Iterator[Number]:
    """The values of handlers, without failed ones and those that aren't numbers."""
    for (entry, name), value in zip(handlers, values):
        if not isinstance(value, ClickError):
            with suppress(ValueError):
                yield Number(entry.name, entry.class_name, name, float(value))
