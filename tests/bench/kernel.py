"""What the kernel path costs: nanoseconds of one packet through the IP router, beside the same path written by hand, and the BPF
instructions that it executes.

Programs run under BPF_PROG_TEST_RUN on a packet in memory, again and again (repeated.py). There are several rounds, in which the
programs take turns, each with the least of many runs, for it is the only part of a shared machine's timing that repeats; the
cost of a program that only restores the packet is taken off. Instructions are counted by an interpreter (executed.py),
and are the same in every run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import cache, partial

from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from tests.bench import anchor, executed, loaded
from tests.bench.effort import Effort
from tests.bench.repeated import TIMES, TIMES_IN_CHAINS, repeated

from clickbpf.load.kernel.fds import Program
from clickbpf.plan import Options

NEXT_HOP, NEXT_HOP6 = "10.0.1.2", "2001:db8:1::2"
#: The next hop's address is the one that the router has itself, so that a frame that was sent is one for the router again.
NEXT_MAC = "02:00:00:00:00:10"
WRITTEN, CLICKBPF, CHAIN, REDIRECT = "written by hand", "clickbpf, one program", "clickbpf --chain, a program each", "a bare redirect"
CLICKBPF6 = "clickbpf, an IPv6 packet"
EMPTY = "nothing (taken off the others)"
#: More runs cost much time: the kernel patches itself before and after each.
REPEAT, RUNS = 1000, 40


def packet(padding: int = 0) -> bytes:
    """64 bytes of UDP to the network behind the second device."""
    made = Ether(dst="02:00:00:00:00:10", src="02:00:00:00:00:02") / IP(src="10.0.0.2", dst=NEXT_HOP, ttl=255) / UDP() / bytes(22)
    return bytes(made) + bytes(padding)


def packet6() -> bytes:
    """The same over IPv6."""
    made = Ether(dst="02:00:00:00:00:10", src="02:00:00:00:00:02") / IPv6(src="2001:db8::2", dst=NEXT_HOP6, hlim=64) / UDP() / bytes(22)
    return bytes(made)


def measure(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(name, nanoseconds) of each program, in each round."""
    rounds = _rounds(effort)
    yield EMPTY, [one[EMPTY] for one in rounds]
    for name in (REDIRECT, WRITTEN, CLICKBPF, CLICKBPF6, CHAIN):
        yield name, [one[name] - one[EMPTY] for one in rounds]


def measure_own_work(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(name, nanoseconds) without what a bare redirect takes, in each round."""
    for name in (WRITTEN, CLICKBPF, CLICKBPF6):
        yield name, [one[name] - one[REDIRECT] for one in _rounds(effort)]


def count(effort: Effort) -> Iterator[tuple[str, float]]:
    """(name, instructions), of packets that end with their frame and of padded ones."""
    with anchor.both() as (router, handwritten):
        _report(router, handwritten)
        for padding, suffix in ((0, ""), (6, ", padded")):
            yield WRITTEN + suffix, executed.executed(handwritten.programs[0], packet(padding))
            yield CLICKBPF + suffix, executed.executed(router.programs[0], packet(padding))
        yield CLICKBPF6, executed.executed(router.programs[0], packet6())


@cache
def _rounds(effort: Effort) -> list[dict[str, float]]:
    """Nanoseconds of each program, in each round."""
    with ExitStack() as undo:
        router = anchor.Router(undo, runs=_again({CLICKBPF: ("xdp_eth0", packet()), CLICKBPF6: ("xdp_eth0", packet6())}))
        chain = anchor.Router(undo, Options(chain=True), _again({CHAIN: ("xdp_eth0", packet())}, TIMES_IN_CHAINS))
        by_hand = {EMPTY: (None, packet()), REDIRECT: ("redirect", packet()), WRITTEN: ("handwritten0", packet())}
        handwritten = anchor.Handwritten(undo, _again(by_hand))
        rounds = []
        for _ in range(effort.rounds):
            _report(router, handwritten, chain)
            programs = (handwritten.runs | router.runs).items()
            rounds.append({name: least(name, program) / TIMES for name, program in programs})
            rounds[-1][CHAIN] = least(CHAIN, chain.runs[CHAIN]) / TIMES_IN_CHAINS
        return rounds


def _again(programs: Mapping[str, tuple[str | None, bytes]], times: int = TIMES) -> loaded.Runs:
    """Programs by these names that run the given ones on the given frames."""
    return {name: partial(repeated, program=program, frame=frame, times=times) for name, (program, frame) in programs.items()}


def _report(*routers) -> None:
    for router in routers:
        router.know(1, NEXT_HOP, NEXT_MAC)
        router.know(1, NEXT_HOP6, NEXT_MAC)


def least(name: str, program: Program) -> float:
    frame = packet6() if name == CLICKBPF6 else packet()
    runs = [program.test_run(frame, repeat=REPEAT) for _ in range(RUNS)]
    if {run.retval for run in runs} != {loaded.DROP if name == EMPTY else loaded.REDIRECT}:
        raise ValueError(f"{name}: packets weren't sent")
    return float(min(run.duration for run in runs))
