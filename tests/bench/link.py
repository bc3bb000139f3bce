"""What a packet from a network to the other of two routers on a link costs at the first, and without ARP on the link (the optimisation
paper's Figure 9)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from tests.bench.effort import Effort
from tests.bench.loaded import DROP, REDIRECT, Loaded, Runs
from tests.bench.repeated import TIMES, repeated
from tests.configs.links import LIBRARY, combined, separate

from clickbpf.args.devices import Devices
from clickbpf.args.names import Names
from clickbpf.graph.check import check
from clickbpf.graph.router import Router

ALONE, TOGETHER = "a router on a link", "without ARP on the link"
REPEAT, RUNS = 1000, 20
PACKET = bytes(Ether(dst="02:00:00:00:01:10") / IP(src="10.0.1.2", dst="10.0.2.2") / UDP() / bytes(22))


def measure(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(router, nanoseconds in each round)."""
    with ExitStack() as undo:
        routers = {ALONE: loaded(undo, separate()["left"]), TOGETHER: loaded(undo, combined()["left"])}
        routers[ALONE].runtime.handlers.write("link_arp", "insert", "10.9.0.2 02:00:00:00:02:20")
        rounds = [{name: cost(router) for name, router in routers.items()} for _ in range(effort.rounds)]
    yield from ((name, [one[name] for one in rounds]) for name in routers)


def loaded(undo: ExitStack, router: Router) -> Loaded:
    runs: Runs = {name: partial(repeated, program=name, frame=PACKET, times=TIMES) for name in ("xdp_eth0", None)}
    return Loaded(undo, check(router, LIBRARY, Names(Devices({}))), runs=runs)


def cost(router: Loaded) -> float:
    """Nanoseconds of one packet, without those of restoring it."""
    least = {}
    for name, program in router.runs.items():
        runs = [program.test_run(PACKET, repeat=REPEAT) for _ in range(RUNS)]
        if {run.retval for run in runs} != {REDIRECT if name else DROP}:
            raise ValueError("packets weren't sent")
        least[name] = min(run.duration for run in runs)
    return (least["xdp_eth0"] - least[None]) / TIMES
