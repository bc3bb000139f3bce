"""What comes out of a router when ever more comes in, with Linux beside it (the Click paper's Figures 10, 17 and 18); and how long packets
take.

Frames are received on one CPU, which router, sink and runtime have together, and generated on another: so a router can get more than it
can take. What it can't take is best dropped early, in the queue before it; a router that spends its time on packets which it drops later
sends the less the more comes (receive livelock).

Latency is the time from a frame's making, before that queue, to the sink: at half of what the forwarder takes at most, and at all of it,
where that queue is full at times.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache

from tests.bench import forwarding
from tests.bench.bed import LAST, Bed
from tests.bench.crossing import QUEUES, linux
from tests.bench.effort import Effort

#: Percent of what the generator makes.
FULL = 100
#: Parts of what a forwarder takes at most.
LOADS = (0.5, 1.0)
PERCENTILES = (50, 90, 99, 99.9)
LINUX, ROUTER = "Linux", "IP router"


def measure(effort: Effort) -> Iterator[tuple[str, float, list[float]]]:
    """(forwarder, percent of the generator's rate that come in, packets a second that leave, in each round)."""
    forwarders = {
        LINUX: linux,
        ROUTER: forwarding.routing(),
        "a router in user space, --crossing ring": forwarding.running(QUEUES, "--no-kernel", "--crossing", "ring"),
    }
    percents = [FULL * number // effort.points for number in range(1, effort.points + 1)]
    with ExitStack() as undo:
        bed = Bed(undo)
        found: dict[tuple[str, float], list[float]] = {(name, percent): [] for name in forwarders for percent in percents}
        with forwarding.redirecting("nothing")(bed.router):
            most = bed.most(effort.seconds)
        for _ in range(effort.live):
            for name, forwarder in forwarders.items():
                with forwarding.placed(LAST), forwarder(bed.router):
                    for percent in percents:
                        found[name, percent].append(bed.rate(effort.seconds / 2, "pace_apart", most * percent / FULL))
    return ((name, percent, rates) for (name, percent), rates in found.items())


def measure_half(effort: Effort) -> Iterator[tuple[str, float, list[float]]]:
    """(forwarder, percentile, nanoseconds at half load in each round)."""
    return latencies(effort, 0.5)


def measure_full(effort: Effort) -> Iterator[tuple[str, float, list[float]]]:
    """The same at full load."""
    return latencies(effort, 1.0)


def latencies(effort: Effort, load: float) -> Iterator[tuple[str, float, list[float]]]:
    for (name, part, percentile), rounds in timed(effort).items():
        if part == load:
            yield name, percentile, rounds


@cache
def timed(effort: Effort) -> dict[tuple[str, float, float], list[float]]:
    """Nanoseconds in each round, by forwarder, load and percentile."""
    forwarders = {forwarding.CEILING: forwarding.redirecting("forward_mapped"), ROUTER: forwarding.routing(), LINUX: linux}
    found: dict[tuple[str, float, float], list[float]] = defaultdict(list)
    with ExitStack() as undo:
        bed = Bed(undo, "time_sink")
        for _ in range(effort.live):
            for name, forwarder in forwarders.items():
                with forwarding.placed(LAST), forwarder(bed.router):
                    most = bed.rate(effort.seconds / 2, "pace_apart")
                    for load in LOADS:
                        quantile = bed.times(effort.seconds, most * load)
                        for percentile in PERCENTILES:
                            found[name, load, percentile].append(quantile(percentile / 100))
    return found
