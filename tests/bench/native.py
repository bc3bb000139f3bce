"""The cost of the runtime's code: nanoseconds of one packet through the IP router's path, in user space and without devices.

Packets come from an InfiniteSource, pass the path of configs/iprouter.click, and end after its Queue; the same without
the path is taken off. Each number is the least of many runs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.bench.anchor import ROUTER
from tests.bench.effort import Effort
from tests.bench.kernel import NEXT_HOP, NEXT_MAC, packet

from clickbpf.compile import Compilation, check_text
from clickbpf.graph.check import CheckedRouter
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library

#: Packets of a run, which takes some milliseconds: most are over before somebody else wants the CPU. Runs of a round.
PACKETS, RUNS = 50_000, 40
BURST = 32
BARE = "source, Queue and sink (taken off the other)"
SINK = f"Unqueue(BURST {BURST}) -> sink :: Counter -> Discard"


def source() -> str:
    return f"source :: InfiniteSource(DATA \\<{packet().hex()}>, LIMIT {PACKETS}, BURST {BURST}, TIMESTAMP false)"


def replaced(text: str, old: str, new: str) -> str:
    if old not in text:
        raise ValueError(f"{ROUTER} has no '{old}' any more")
    return text.replace(old, new)


def with_path() -> str:
    """The IP router, whose first device is a source and whose second one a sink, and which sends nothing of its own accord."""
    text = replaced(ROUTER.read_text(), "$ADVERTISE true", "$ADVERTISE false")
    text = replaced(text, "in0 :: FromDevice($ETH0)", source())
    return replaced(text, "todev1 :: ToDevice($ETH1)", SINK)


def without_path() -> str:
    return f"{source()} -> Queue(1000) -> {SINK};"


def measure(effort: Effort) -> Iterator[tuple[str, float]]:
    """(name, nanoseconds a packet)."""
    with running(with_path()) as path, running(without_path()) as bare:
        path.handlers.write("arpq1", "insert", f"{NEXT_HOP} {NEXT_MAC}")
        times = [(cost(bare), cost(path)) for _ in range(RUNS * effort.rounds)]
    least = [min(column) for column in zip(*times, strict=True)]
    yield BARE, least[0]
    yield "the path's sixteen elements", least[1] - least[0]


def running(text: str) -> Runtime:
    return Runtime(Compilation(checked(text)))


def checked(text: str) -> CheckedRouter:
    return check_text(text, Library.standard())


def cost(runtime: Runtime) -> float:
    """Nanoseconds for each packet of one run; all of them have to arrive."""
    before = int(runtime.handlers.read("sink", "count"))
    runtime.handlers.write("source", "reset")
    begin = time.perf_counter_ns()
    runtime.settle()
    end = time.perf_counter_ns()
    if int(runtime.handlers.read("sink", "count")) - before != PACKETS:
        raise ValueError("packets were lost on the way")
    return (end - begin) / PACKETS
