"""What a loaded router has dropped, by element and reason: in the kernel, at its AF_XDP sockets and in the runtime."""

import time
from collections.abc import Iterator, Sequence

from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.access.access import Access
from clickbpf.load.files.places import RunFolder
from clickbpf.load.path.kernelpath import KernelPath
from clickbpf.runtime.memory import DROPS, drop_counts
from clickbpf.vocabulary.drops import REASONS

#: The handler that every element has: lines of a count and a reason.
HANDLER = "drop_reasons"


@frozen
class Dropped:
    """Packets that an element dropped for one reason; `rate` is packets a second."""

    element: str
    class_name: str
    place: str
    reason: str
    meaning: str
    count: int
    rate: float


def watch(name: str, seconds: float) -> Iterator[list[Dropped]]:
    """Yield the drops so far, most first, again and again; rates are measured over this many seconds."""
    access = Access(name)
    entries = RunFolder.of(name).manifest().elements
    elements, names = {entry.name: entry for entry in entries}, [entry.name for entry in entries]
    before, moment = counts(access, names), time.monotonic()
    while True:
        time.sleep(seconds)
        now, later = counts(access, names), time.monotonic()
        found = []
        for (name, reason), count in now.items():
            entry, rate = elements[name], max(0, count - before.get((name, reason), 0)) / (later - moment)
            found.append(Dropped(name, entry.class_name, entry.place, reason, REASONS.get(reason, reason), count, rate))
        before, moment = now, later
        yield sorted(found, key=lambda each: -each.count)


class Counts:
    """A router's drop counts, in memory shared by both executors; `elements` are the names in the router's order. Read the handler
    `newest` first for the latest counts: the runtime then adds what its sockets have lost."""

    def __init__(self, elements: Sequence[str], path: KernelPath):
        self._elements = elements
        self.newest = f"{elements[0]}.{HANDLER}" if elements else ""
        self._view = path.view(path.manifest.of_role("drops")[0], DROPS)
        self._slots = len(self._view) // max(1, len(elements))
        self._before = b""
        self._known: list[dict[str, int]] = [{} for _ in elements]

    def counts(self) -> dict[tuple[str, str], int]:
        """Packets by element and reason."""
        content = self._view.content()
        each = len(content) // max(1, len(self._elements))
        if content != self._before:
            for number in range(len(self._elements)):
                part = slice(number * each, (number + 1) * each)
                if content[part] != self._before[part] and (self._before or any(content[part])):
                    self._known[number] = drop_counts(self._view, number, self._slots)
        self._before = content
        return {(name, reason): count for name, found in zip(self._elements, self._known) for reason, count in found.items()}


def counts(access: Access, elements: Sequence[str]) -> dict[tuple[str, str], int]:
    """Packets by element and reason."""
    found = {}
    for element, said in zip(elements, access.read_each([f"{element}.{HANDLER}" for element in elements])):
        if isinstance(said, ClickError):
            raise said
        for line in said.splitlines():
            count, _, reason = line.partition("\t")
            found[element, reason] = int(count)
    return found
