"""A model of the runtime on more CPUs than the machine has, from what packets cost on one, and a cache line on its way to another CPU.

It is a closed network of queues: each CPU processes one packet after the other. A packet takes the time that it takes alone; then it waits
until the CPUs before it have done with what all share, and takes its own time for that (mean value analysis, as for machines that share a
repairman). The assumptions:

- As many CPUs as flows, or fewer, so that no CPU is idle.
- What isn't shared slows nobody down, except by as much as two CPUs do each other on this machine: memory and caches are large enough.
- A word that all CPUs write always comes from another CPU, since the others write it between two packets of one's own; it always takes as
  long to come as between the first two CPUs, and only to one at a time. On machines with several sockets it takes longer.

At two CPUs the word's curve can be compared with a measured one, from which nothing but the packet's time alone has gone into the model.
"""

from __future__ import annotations

import ctypes
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.bed import FIRST, LAST
from tests.bench.effort import Effort
from tests.bench.threads import SHARED_WORD, rate, text

from clickbpf.build.host import find_compiler

OWN, WORD, LOCKED = "nothing shared", "a word that all write", "all under a lock"
CPUS = (1, 2, 4, 8, 16, 32, 64)
RUNS = 200


def measure(effort: Effort) -> Iterator[tuple[str, int, float | list[float]]]:
    """(what is shared, CPUs, packets a second): by the model, and measured as far as possible."""
    measured = {(name, cpus): rates(name, cpus, effort) for name in ("IP router", SHARED_WORD) for cpus in (1, 2)}
    alone, word = (1e9 / statistics.median(measured[name, 1]) for name in ("IP router", SHARED_WORD))
    both = 2 * statistics.median(measured["IP router", 1]) / statistics.median(measured["IP router", 2])
    line = transfer()
    for cpus in CPUS:
        slower, moves = (both, line) if cpus > 1 else (1, 0)
        yield OWN, cpus, packets(cpus, alone * slower)
        yield WORD, cpus, packets(cpus, word * slower, moves)
        yield LOCKED, cpus, packets(cpus, 0, alone * slower + moves)
        if cpus <= 2:
            yield f"{WORD}, measured", cpus, measured[SHARED_WORD, cpus]


def packets(cpus: int, alone: float, shared: float = 0) -> float:
    """Packets a second if each takes so many nanoseconds alone, and of what is shared."""
    waiting = found = 0.0
    for number in range(1, cpus + 1):
        there = shared * (1 + waiting)
        found = number / (alone + there)
        waiting = found * there
    return found * 1e9


def rates(name: str, cpus: int, effort: Effort) -> list[float]:
    return [rate(text(name, cpus), cpus, effort.seconds) for _ in range(effort.live)]


def transfer() -> float:
    """Nanoseconds of a cache line from one CPU to the other."""
    with tempfile.TemporaryDirectory() as folder:
        source, built = Path(__file__).with_name("turns.c"), Path(folder, "turns.so")
        find_compiler().run("-shared", "-fPIC", "-pthread", "-fvisibility=default", str(source), "-o", str(built))
        turns = ctypes.CDLL(str(built)).nanoseconds_of_a_turn
    turns.restype = ctypes.c_double
    return turns(FIRST, LAST, RUNS)
