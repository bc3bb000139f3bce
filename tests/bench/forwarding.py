"""What a router forwards: packets a second between two veth pairs, beside bare redirects, in one run (bed.py).

In the kernel everything runs on the generator's CPU, so the rate is that of the whole path: generator, two veth crossings, router.
What they have in common makes up most of it: a ratio near 1 says that the router is small beside them, not that it costs
nothing. The ceiling is a program that does nothing but redirect, by a map of devices as the router does; without the map it
is a few percent off, either way. Rounds of the forwarders alternate, for the machine's speed changes while we measure.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from tests.bench.anchor import ROUTER
from tests.bench.bed import FIRST, GENERATOR, LAST, Bed
from tests.bench.effort import Effort
from tests.bench.kernel import NEXT_HOP, NEXT_MAC

from clickbpf.build.bpf import build_program
from clickbpf.load.devices.links import attach_xdp
from clickbpf.load.kernel.objects import Object
from clickbpf.testing.netns import Namespace

#: What the others are compared with.
CEILING = "devmap redirect"
#: Of its CPU, less than which a generator's rate says more about the machine than about the forwarder.
ENOUGH = 0.9

Forwarder = Callable[[Namespace], AbstractContextManager[None]]


def measure(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(name, packets a second in each round): of bare redirects, of the IP router, and of one that drops at random before its queue."""
    routers = {"IP router": routing(), "IP router with RED": routing("RED(5, 50, 0.02) ->")}
    return compared({CEILING: redirecting("forward_mapped"), "bare redirect": redirecting("forward"), **routers}, effort)


def compared(
    forwarders: Mapping[str, Forwarder], effort: Effort, on_one_cpu: bool = False, flows: int = 1
) -> Iterator[tuple[str, list[float]]]:
    """(name, packets a second that leave by eth1, in each round). On one CPU, the forwarder has the generator's."""
    with ExitStack() as undo:
        bed = Bed(undo, flows=flows)
        rounds: dict[str, list[float]] = {name: [] for name in forwarders}
        for _ in range(effort.live):
            for name, forwarder in forwarders.items():
                with placed(FIRST if on_one_cpu else LAST), forwarder(bed.router):
                    rounds[name].append(bed.rate(effort.seconds))
                if bed.share < ENOUGH and not on_one_cpu:
                    print(f"{name}: the generator had {bed.share:.0%} of a CPU, and so much of its rate is measured", file=sys.stderr)
        yield from rounds.items()


@contextmanager
def placed(cpu: int) -> Iterator[None]:
    """What is started runs on this CPU."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {cpu})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def redirecting(program: str) -> Forwarder:
    """Forward everything from eth0 to eth1 by a program of generator.bpf.c."""

    @contextmanager
    def forwarding(router: Namespace) -> Iterator[None]:
        out = router.ifindex("eth1").to_bytes(4, sys.byteorder)
        with Object(build_program(GENERATOR).read_bytes(), "redirect") as loaded:
            loaded.set_variable("ifindex", out)
            loaded.load()
            router.call(loaded.map("tx").update, bytes(4), out)
            link = router.call(attach_xdp, loaded.program(program), router.ifindex("eth0"), "native")
            try:
                yield
            finally:
                link.detach()

    return forwarding


def routing(added: str = "", *options: str) -> Forwarder:
    """Run the IP router of configs/ on both devices, perhaps with more on its way to eth1, or further options; the next hop is known."""
    way = "arpq1 :: ARPQuerier(if1) ->"
    text = ROUTER.read_text().replace(way, f"{way} {added}")
    return running(f'{text}\nScript(write arpq1.insert {NEXT_HOP} {NEXT_MAC}, print "ready");\n', *options)


def running(text: str, *options: str) -> Forwarder:
    """Run a router that prints when it is ready, with further options."""

    @contextmanager
    def forwarding(router: Namespace) -> Iterator[None]:
        clickbpf = Path(sys.executable).with_name("clickbpf")
        child = subprocess.Popen(
            router.command(str(clickbpf), "run", *options, "-e", text), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        try:
            until_ready(child)
            time.sleep(0.5)
            yield
        finally:
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=20)

    return forwarding


def until_ready(child: subprocess.Popen) -> None:
    said = []
    for line in child.stdout:
        said.append(line)
        if line.strip() == "ready":
            return
    raise SystemExit(f"the router did not start:\n{''.join(said)}")
