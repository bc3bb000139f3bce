"""The costs of elements: for some packets of a trace, the time from their arrival at an input until the next report.

The sum of the kernel path's costs is the one that the kernel reports for its plain programs; the trace, which takes longer, distributes it.
"""

import os
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from clickbpf.load.change.tracing import TraceRequest
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.kernel.fds import Program
from clickbpf.load.kernel.libbpf import BpfError, check, lib
from clickbpf.load.path.kernelpath import KernelPath
from clickbpf.observe.traced.events import Event, Kind
from clickbpf.observe.traced.packets import Names
from clickbpf.observe.traced.tracing import traced

#: The most packets to measure.
MOST = 20_000
#: An element's time is considered only if it was measured at least 1/ENOUGH as often as the most frequent element's.
ENOUGH = 10
#: The least number of packets whose run time, which includes reading the clock, says something about a packet.
LEAST = 1000
#: BPF_STATS_RUN_TIME, and BPF_PROG_TYPE_XDP, of <linux/bpf.h>; the runs of an empty program, and the bytes of their packet.
_RUN_TIME, _XDP, _RUNS, _LENGTH = 0, 6, 100_000, 64


@dataclass
class Cost:
    """An element on one executor: the number of packets at its inputs, and for some of them the nanoseconds between two reports, which
    include `clock` for reading the clock, and take `scale` times as long in the plain program."""

    element: str
    class_name: str
    runs: str
    packets: int = 0
    clock: float = 0.0
    scale: float = 1.0
    times: list[int] = field(default_factory=list)

    @property
    def reported(self) -> float:
        """The mean time without the longest 2 %, during which the CPU was interrupted."""
        least = sorted(self.times)[: max(1, len(self.times) * 49 // 50)]
        return sum(least) / len(least)

    @property
    def each(self) -> float | None:
        """Nanoseconds a packet; None if unknown, since packets wait there or have been handed over to the runtime."""
        return max(0.0, self.reported - self.clock) * self.scale if self.times else None

    @property
    def total(self) -> float:
        return (self.each or 0.0) * self.packets


@dataclass
class Costs:
    """The costs of elements, the highest total first; `packet` is the nanoseconds a packet in the kernel path, None if unknown."""

    elements: list[Cost]
    packet: float | None


def measure(name: str, seconds: float, begun: Callable[[], object] = lambda: None) -> Costs:
    """The costs of a loaded router's elements during that many seconds, after as long for the whole kernel path; `begun` is called between
    the two."""
    packet, found = run_time(name, seconds), list[Event]()
    with traced(name, TraceRequest("", MOST)) as trace:
        begun()
        until = None
        for portion in trace.portions():
            until = until or time.monotonic() + seconds  # from the first portion: tracing code has to be compiled first
            found += portion
            if time.monotonic() > until:
                break
        return Costs(costs(found, trace.names, packet), packet)


def run_time(name: str, seconds: float) -> float | None:
    """Nanoseconds that a packet takes in a router's programs, by the kernel's statistics and without those for reading its clock; None if
    fewer than LEAST come, or the kernel gives no statistics (to who isn't root)."""
    with ExitStack() as opened:
        try:
            opened.callback(os.close, check(lib.bpf_enable_stats(_RUN_TIME), "counting programs' run time"))
            empty = opened.enter_context(Program.passing(_XDP))
            empty.test_run(bytes(_LENGTH), room=_LENGTH, repeat=_RUNS)
        except BpfError:
            return None
        path = opened.enter_context(KernelPath.pinned(RunFolder.of(name).manifest(), Pins.of(name)))
        before = _ran(path.programs.values())
        time.sleep(seconds)
        spent, runs = (now - earlier for now, earlier in zip(_ran(path.programs.values()), before))
        clock, clocks = _ran([empty])
        return max(0.0, spent / runs - clock / clocks) if runs >= LEAST and clocks else None


def _ran(programs: Iterable[Program]) -> tuple[int, int]:
    """Nanoseconds and number of the programs' runs; one that is entered by a tail call has none."""
    infos = [program.info() for program in programs]
    return sum(info.run_time_ns for info in infos), sum(info.run_cnt for info in infos)


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


def costs(found: Iterable[Event], names: Names, packet: float | None = None) -> list[Cost]:
    """The costs according to events, the highest total first; those in the kernel add up to `packet` nanoseconds a packet. There some
    elements cost nothing, so the cheapest element's time is taken for that of reading the clock; elements with few measurements are
    ignored for this."""
    seen: dict[tuple[str, bool], Cost] = {}
    before: dict[int, Event] = {}
    arrived: set[int] = set()
    for event in sorted(found, key=lambda event: event.time):
        if event.in_kernel:
            arrived.add(event.number)
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
    whole = sum(cost.total for cost in kernel)
    for cost in kernel if packet is not None and whole else ():
        cost.scale = packet * len(arrived) / whole
    return sorted(seen.values(), key=lambda cost: -cost.total)
