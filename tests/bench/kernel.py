"""What the kernel path costs: nanoseconds of one packet through the IP router, beside the same path written by hand, and the BPF
instructions that it executes.

Programs run under BPF_PROG_TEST_RUN on a packet in memory. Each number of nanoseconds is the median of several rounds, in which
the programs take turns, each with the least of many runs, for it is the only part of a shared machine's timing that repeats; the
cost of an empty program is taken off. Instructions are counted by an interpreter (executed.py), and are the same in every run.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import cache

import anchor
import executed
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.load.kernel.fds import Program
from clickbpf.plan import Options

NEXT_HOP = "10.0.1.2"
#: The next hop's address is the one that the router has itself, so that a frame that was sent is one for the router again.
NEXT_MAC = "02:00:00:00:00:10"
WRITTEN, CLICKBPF, CHAIN, REDIRECT = "written by hand", "clickbpf, one program", "clickbpf --chain, a program each", "a bare redirect"
EMPTY = "empty program (taken off the others)"
#: A packet keeps what the program did to it, its TTL among them, so a run ends before that is used up. More runs cost
#: much time: the kernel patches itself before and after each.
REPEAT, RUNS, ROUNDS = 200, 40, 5


def packet(padding: int = 0) -> bytes:
    """64 bytes of UDP to the network behind the second device."""
    made = Ether(dst="02:00:00:00:00:10", src="02:00:00:00:00:02") / IP(src="10.0.0.2", dst=NEXT_HOP, ttl=255) / UDP() / bytes(22)
    return bytes(made) + bytes(padding)


def measure() -> Iterator[tuple[str, float]]:
    """(name, nanoseconds) of each program."""
    rounds = _rounds()
    yield EMPTY, statistics.median(one[EMPTY] for one in rounds)
    for name in (REDIRECT, WRITTEN, CLICKBPF, CHAIN):
        yield name, statistics.median(one[name] - one[EMPTY] for one in rounds)


def measure_own_work() -> Iterator[tuple[str, float]]:
    """(name, nanoseconds) without what a bare redirect takes."""
    for name in (WRITTEN, CLICKBPF):
        yield name, statistics.median(one[name] - one[REDIRECT] for one in _rounds())


def count() -> Iterator[tuple[str, float]]:
    """(name, instructions), of packets that end with their frame and of padded ones."""
    with anchor.both() as (router, handwritten):
        _report(router, handwritten)
        for padding, suffix in ((0, ""), (6, ", padded")):
            yield WRITTEN + suffix, executed.executed(handwritten.programs[0], packet(padding))
            yield CLICKBPF + suffix, executed.executed(router.programs[0], packet(padding))


@cache
def _rounds() -> list[dict[str, float]]:
    """Nanoseconds of each program, in each round."""
    with anchor.both() as (router, handwritten), anchor.both(Options(chain=True)) as (chain, _):
        _report(router, handwritten, chain)
        programs = {EMPTY: handwritten.empty, REDIRECT: handwritten.redirect, WRITTEN: handwritten.programs[0]}
        programs |= {CLICKBPF: router.programs[0], CHAIN: chain.programs[0]}
        return [{name: least(program) for name, program in programs.items()} for _ in range(ROUNDS)]


def _report(*routers) -> None:
    for router in routers:
        router.know(1, NEXT_HOP, NEXT_MAC)


def least(program: Program) -> float:
    frame = packet()
    return float(min(program.test_run(frame, repeat=REPEAT).duration for _ in range(RUNS)))
