"""What a loaded router has dropped, by element and reason: in the kernel, at its AF_XDP sockets and in the runtime."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from clickbpf.load.access.access import Access
from clickbpf.load.files.places import RunFolder
from clickbpf.objects.manifest import Manifest
from clickbpf.vocabulary.drops import REASONS

#: The handler that every element has: lines of a count and a reason.
HANDLER = "drop_reasons"


@dataclass(frozen=True)
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
    """What was dropped, most first, again and again; rates are measured over that many seconds."""
    access = Access(name)
    entries = Manifest.from_object(RunFolder.of(name).object.read_bytes(), name).elements
    elements = {entry.name: entry for entry in entries}
    before, moment = counts(access, elements), time.monotonic()
    while True:
        time.sleep(seconds)
        now, later = counts(access, elements), time.monotonic()
        found = []
        for (name, reason), count in now.items():
            entry, rate = elements[name], max(0, count - before.get((name, reason), 0)) / (later - moment)
            found.append(Dropped(name, entry.class_name, entry.place, reason, REASONS.get(reason, reason), count, rate))
        before, moment = now, later
        yield sorted(found, key=lambda each: -each.count)


def counts(access: Access, elements: Iterable[str]) -> dict[tuple[str, str], int]:
    """Packets by element and reason."""
    found = {}
    for element in elements:
        for line in access.read(f"{element}.{HANDLER}").splitlines():
            count, _, reason = line.partition("\t")
            found[element, reason] = int(count)
    return found
