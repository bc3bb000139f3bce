"""What a costly router forwards on one CPU, and on two: spread, in lanes and as a pipeline, between two veth pairs (forwarding.py).

After Figures 3, 14 and 15 of "Flexible Control of Parallelism in a Multiprocessor PC Router" (Chen and Morris, USENIX 2001), in the kernel.
The generator keeps the first CPU, and sends one flow; where a router has two CPUs, it shares the first one with the generator. So a gain of
two is out of reach here: the reference has a CPU besides that does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.bed import FIRST, LAST
from tests.bench.effort import Effort
from tests.bench.forwarding import compared, running

#: Elements of some 5 ns each.
STEPS = 64
WORK = "SetIPChecksum -> "
IN, OUT = "in :: FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> ", "Unstrip(14) -> out;"
HEAD = 'out :: Queue -> ToDevice(eth1); FromDevice(eth1) -> Discard; Script(print "ready");'
BOTH = ("--spread", f"{FIRST},{LAST}")
ONE = "one CPU"
#: What stands between the device and the work, and how the router is run.
ROUTERS = {
    ONE: (f"{IN}{WORK * STEPS}{OUT}", ()),
    "another CPU": (f"{IN}{WORK * STEPS}{OUT}", ("--spread", str(LAST))),
    "two lanes": (
        f"{IN}r :: RoundRobinSwitch; "
        + " ".join(f"r[{n}] -> Queue -> u{n} :: Unqueue -> {WORK * STEPS}{OUT}" for n in range(2))
        + " StaticThreadSched(in 0, u0 0, u1 1);",
        BOTH,
    ),
    "a pipeline": (
        f"{IN}{WORK * (STEPS // 2)}Queue -> u :: Unqueue -> {WORK * (STEPS // 2)}{OUT} StaticThreadSched(in 0, u 1);",
        BOTH,
    ),
}


def measure(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(how the router runs, packets a second in each round)."""
    return compared({name: running(f"{HEAD} {text}", *options) for name, (text, options) in ROUTERS.items()}, effort)
