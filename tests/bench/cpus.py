"""What a costly router forwards on one CPU, and on two: spread, in lanes and as a pipeline, between two veth pairs (forwarding.py).

After Figures 3, 4, 14, 15 and 17 of "Flexible Control of Parallelism in a Multiprocessor PC Router" (Chen and Morris, USENIX 2001), in the
kernel. The generator keeps the first CPU; where a router has two CPUs, it shares the first one with the generator. So a gain of two is out
of reach here: the reference has a CPU besides that does nothing.

Two CPUs that put packets into one queue write the same words, and one of them does all that follows. With a queue for each CPU (Figure 4)
neither is so. As many rewriters as there are CPUs, or more, are for the same end: few flows share a table (section 5.4). Of the schedules
of two lanes (Figure 17) one gives one CPU everything, and one begins like that and mends itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.bench.bed import FIRST, LAST
from tests.bench.effort import Effort
from tests.bench.forwarding import compared, running
from tests.bench.threads import REWRITTEN, rewriters

#: Elements of some 5 ns each.
STEPS = 64
WORK = "SetIPChecksum -> "
IN, OUT = "in :: FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> ", "Unstrip(14) -> out;"
HEAD = 'out :: Queue -> ToDevice(eth1); FromDevice(eth1) -> Discard; Script(print "ready");'
BOTH = ("--spread", f"{FIRST},{LAST}")
ONE, FLOWS = "one CPU", 64
HALF = WORK * (STEPS // 2)
LANES = f"{IN}r :: RoundRobinSwitch; " + " ".join(f"r[{n}] -> Queue -> u{n} :: Unqueue -> {WORK * STEPS}{OUT}" for n in range(2))
#: What stands between the device and the work, and how the router is run.
ROUTERS = {
    ONE: (f"{IN}{WORK * STEPS}{OUT}", ()),
    "another CPU": (f"{IN}{WORK * STEPS}{OUT}", ("--spread", str(LAST))),
    "two lanes": (f"{LANES} StaticThreadSched(in 0, u0 0, u1 1);", BOTH),
    "two lanes, bad schedule": (f"{LANES} StaticThreadSched(in 0, u0 0, u1 0);", BOTH),
    "two lanes, adaptive schedule": (f"{LANES} StaticThreadSched(in 0, u0 0, u1 0); BalancedThreadSched(100);", BOTH),
    "a pipeline": (f"{IN}{HALF}Queue -> u :: Unqueue -> {HALF}{OUT} StaticThreadSched(in 0, u 1);", BOTH),
    "one queue of two CPUs": (f"{IN}{HALF}Queue -> u :: Unqueue -> {HALF}{OUT} StaticThreadSched(u 1);", BOTH),
    "a queue for each CPU": (
        f"{IN}{HALF}c :: CPUSwitch; "
        + " ".join(f"c[{n}] -> Queue -> u{n} :: Unqueue -> {HALF}{OUT}" for n in range(2))
        + " StaticThreadSched(u0 0, u1 1);",
        BOTH,
    ),
}
#: Of addresses and ports, which all packets have translated by one rewriter or by 32.
REWRITERS = {
    f"{many}, {cpus}": (f"{IN}{rewriters(number)} {REWRITTEN} -> {OUT}", options)
    for many, number in (("one rewriter", 1), ("32 rewriters", 32))
    for cpus, options in (("one CPU", ("--spread", str(LAST))), ("two CPUs", BOTH))
}
REWRITER = next(iter(REWRITERS))


def measure(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(how the router runs, packets a second in each round)."""
    return measured(ROUTERS, effort)


def measure_rewriters(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(rewriters and CPUs, packets a second in each round)."""
    return measured(REWRITERS, effort)


def measured(routers: Mapping[str, tuple[str, tuple[str, ...]]], effort: Effort) -> Iterator[tuple[str, list[float]]]:
    return compared({name: running(f"{HEAD} {text}", *options) for name, (text, options) in routers.items()}, effort, flows=FLOWS)
