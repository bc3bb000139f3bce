"""The costs of elements: for some packets of a trace, the time from their arrival at an input until the next report."""

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from clickbpf.load.change.tracing import TraceRequest
from clickbpf.observe.traced.events import Event, Kind
from clickbpf.observe.traced.packets import Names
from clickbpf.observe.traced.tracing import traced

#: The most packets to measure.
MOST = 20_000
#: An element's time is considered only if it was measured at least 1/ENOUGH as often as the most frequent element's.
ENOUGH = 10


@dataclass
class Cost:
    """An element on one executor: the number of packets at its inputs, and for some of them the nanoseconds between two reports, which
    include `clock` for reading the clock."""

    element: str
    class_name: str
    runs: str
    packets: int = 0
    clock: float = 0.0
    times: list[int] = field(default_factory=list)

    @property
    def reported(self) -> float:
        """The mean time without the longest 2 %, during which the CPU was interrupted."""
        least = sorted(self.times)[: max(1, len(self.times) * 49 // 50)]
        return sum(least) / len(least)

    @property
    def each(self) -> float | None:
        """Nanoseconds a packet; None if unknown, since packets wait there or have been handed over to the runtime."""
        return max(0.0, self.reported - self.clock) if self.times else None

    @property
    def total(self) -> float:
        return (self.each or 0.0) * self.packets


def measure(name: str, seconds: float) -> list[Cost]:
    """The costs of a loaded router's elements during that many seconds."""
    found: list[Event] = []
    with traced(name, TraceRequest("", MOST)) as trace:
        until = None
        for portion in trace.portions():
            until = until or time.monotonic() + seconds  # from the first portion: tracing code has to be compiled first
            found += portion
            if time.monotonic() > until:
                break
        return costs(found, trace.names)


def plain(found: Collection[Cost]) -> list[dict[str, Any]]:
    """The costs for JSON, each with its share of the total."""
    whole = sum(cost.total for cost in found) or 1.0
    return [
        {
            "element": cost.element,
            "class_name": cost.class_name,
            "runs": cost.runs,
            "packets": cost.packets,
            "nanoseconds": cost.each,
            "share": cost.total / whole,
        }
        for cost in found
    ]


def costs(found: Iterable[Event], names: Names) -> list[Cost]:
    """The costs according to events, the highest total first. In the kernel some elements cost nothing, so the cheapest element's time is
    taken for that of reading the clock; elements with few measurements are ignored for this."""
    seen: dict[tuple[str, bool], Cost] = {}
    before: dict[int, Event] = {}
    for event in sorted(found, key=lambda event: event.time):
        last, before[event.number] = before.get(event.number), event
        if last and last.kind is Kind.INPUT and last.in_kernel == event.in_kernel and event.spent:
            cost = seen[names.elements[last.element][0], last.in_kernel]
            if event.in_kernel or cost.class_name not in names.waiting:
                cost.times.append(event.spent)
        if event.kind is Kind.INPUT:
            name, class_name = names.elements[event.element]
            place = "kernel" if event.in_kernel else "runtime"
            seen.setdefault((name, event.in_kernel), Cost(name, class_name, place)).packets += 1
    kernel = [cost for (_, in_kernel), cost in seen.items() if in_kernel and cost.times]
    most = max((len(cost.times) for cost in kernel), default=0)
    for cost in kernel:
        cost.clock = min(other.reported for other in kernel if len(other.times) * ENOUGH >= most)
    return sorted(seen.values(), key=lambda cost: -cost.total)
