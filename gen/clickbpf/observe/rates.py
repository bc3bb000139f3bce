"""Rates between two snapshots of a router, element by element."""

from collections.abc import Iterator, Mapping
from time import sleep

from clickbpf.frozen import frozen
from clickbpf.observe.snapshot import KERNEL, RUNTIME, Observer, Snapshot


@frozen
class Activity:
    """An element's `total` of packets, None if it doesn't count them; packets and drops a second, by the executor that counted them; the
    number of packets it `holds` now, None if it can't hold any; and the most frequent `reason` of its drops (vocabulary/drops.py), "" if
    there are none."""

    element: str
    class_name: str
    runs: str
    total: int | None
    kernel_rate: float
    runtime_rate: float
    holds: int | None
    dropped: int
    drop_rate: float
    reason: str

    @property
    def rate(self) -> float:
        return self.kernel_rate + self.runtime_rate


@frozen
class Period:
    """The snapshot `now` at the period's end; the runtime's CPU use (1.0 is one CPU); the elements that count, hold or drop packets."""

    now: Snapshot
    cpu: float
    elements: tuple[Activity, ...]


def periods(name: str, seconds: float) -> Iterator[Period]:
    """Periods of that many seconds, one after another."""
    observer = Observer(name)
    before = observer.snapshot()
    while True:
        sleep(seconds)
        now = observer.snapshot()
        yield period(before, now)
        before = now


def period(before: Snapshot, now: Snapshot) -> Period:
    """The rates between two snapshots. A count that went down, as after the router was replaced, is assumed to have started again at 0."""
    length = now.moment - before.moment
    used = now.usage.cpu - before.usage.cpu if now.usage and before.usage else 0.0
    return Period(now, max(0.0, used) / length, tuple(_elements(before, now, length)))


def _elements(before: Snapshot, now: Snapshot, length: float) -> Iterator[Activity]:
    packets, earlier = _packets(now), _packets(before)
    held = {number.element: int(number.value) for number in now.levels if number.name == "length"}
    dropped = by_element(now.dropped)
    for element, class_name in now.classes.items():
        reasons = dropped.get(element, {})
        counted = [packets[element, executor] for executor in (KERNEL, RUNTIME) if (element, executor) in packets]
        if not counted and element not in held and not reasons:
            continue
        rates = {
            executor: _grown(packets.get((element, executor), 0), earlier.get((element, executor), 0)) / length
            for executor in (KERNEL, RUNTIME)
        }
        yield Activity(
            element,
            class_name,
            now.placements[element],
            int(sum(counted)) if counted else None,
            rates[KERNEL],
            rates[RUNTIME],
            held.get(element),
            sum(reasons.values()),
            sum(_grown(count, before.dropped.get((element, reason), 0)) for reason, count in reasons.items()) / length,
            max(reasons, key=reasons.get, default=""),
        )


def by_element(dropped: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    """Group drops by (element, reason) by element."""
    found: dict[str, dict[str, int]] = {}
    for (element, reason), count in dropped.items():
        found.setdefault(element, {})[reason] = count
    return found


def _grown(now: float, before: float) -> float:
    return now - before if now >= before else now


def _packets(snapshot: Snapshot) -> dict[tuple[str, str], float]:
    return {(number.element, number.executor): number.value for number in snapshot.counts if number.name == "count"}
