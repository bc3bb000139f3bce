"""What a router forwards: packets a second between two veth pairs, beside bare redirects, in one run.

A generator sends the same frame out of the first host's device by live test runs; the second host's device drops what
arrives. Everything runs on the generator's CPU, so the rate is that of the whole path: generator, two veth crossings, router.
What they have in common makes up most of it: a ratio near 1 says that the router is small beside them, not that it costs
nothing. The ceiling is a program that does nothing but redirect, by a map of devices as the router does; without the map it
is a few percent off, either way. Rounds of the forwarders alternate, for the machine's speed changes while we measure.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from anchor import ROUTER
from kernel import NEXT_HOP, NEXT_MAC, packet

from clickbpf.build.bpf import build_program
from clickbpf.load.devices.links import attach_xdp
from clickbpf.load.kernel.objects import Object
from clickbpf.testing.netns import Namespace, Network

HERE = Path(__file__).parent
ROUNDS, SECONDS = 3, 2.0
LIVE_FRAMES = 1 << 1
#: What the others are compared with.
CEILING = "devmap redirect"


Forwarder = Callable[[Namespace], AbstractContextManager[None]]


def measure() -> Iterator[tuple[str, float]]:
    """(name, packets a second): of bare redirects and of the IP router."""
    return compared({CEILING: redirecting("forward_mapped"), "bare redirect": redirecting("forward"), "IP router": routing()})


def compared(forwarders: Mapping[str, Forwarder]) -> Iterator[tuple[str, float]]:
    """(name, packets a second that leave by eth1): the medians over the rounds. There are devices for copies, up to eth4."""
    with Network() as network, ExitStack() as undo:
        source, router, sink = (network.namespace(label) for label in ("source", "router", "sink"))
        network.veth(source, "out", router, "eth0")
        ends = {f"eth{number}": f"in{number}" for number in range(1, 5)}
        for device, end in ends.items():
            network.veth(router, device, sink, end)
        for namespace, devices in ((source, ["out"]), (router, ["eth0", *ends]), (sink, ends.values())):
            for device in devices:
                namespace.offload(device, tx=False, gro=True)
        programs = undo.enter_context(Object(build_program(HERE / "generator.bpf.c").read_bytes(), "bench"))
        programs.set_variable("frame", packet()[:64])
        programs.set_variable("ifindex", source.ifindex("out").to_bytes(4, sys.byteorder))
        programs.load()
        for end in ends.values():
            undo.callback(sink.call(attach_xdp, programs.program("sink"), sink.ifindex(end), "native").detach)
        rounds: dict[str, list[float]] = {name: [] for name in forwarders}
        for _ in range(ROUNDS):
            for name, forwarder in forwarders.items():
                with forwarder(router):
                    rounds[name].append(rate(programs, source, sink))
        yield from ((name, statistics.median(rates)) for name, rates in rounds.items())


def redirecting(program: str) -> Forwarder:
    """Forward everything from eth0 to eth1 by a program of generator.bpf.c."""

    @contextmanager
    def forwarding(router: Namespace) -> Iterator[None]:
        out = router.ifindex("eth1").to_bytes(4, sys.byteorder)
        with Object(build_program(HERE / "generator.bpf.c").read_bytes(), "redirect") as loaded:
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


def rate(programs: Object, source: Namespace, sink: Namespace) -> float:
    """Frames a second that arrive while the generator sends."""
    generator = threading.Thread(target=source.call, args=(generate, programs, SECONDS + 1))
    generator.start()
    time.sleep(0.5)
    before, start = received(sink), time.monotonic()
    time.sleep(SECONDS)
    frames, seconds = received(sink) - before, time.monotonic() - start
    generator.join()
    return frames / seconds


def received(sink: Namespace) -> int:
    (link,) = json.loads(sink.ip("-json", "-statistics", "link", "show", "dev", "in1"))
    return link["stats64"]["rx"]["packets"]


def generate(programs: Object, seconds: float) -> None:
    """Send for so long, in a process of its own: one test run repeats until a signal ends it. The namespace that the caller's
    thread is in is the one that devices are looked for in.
    """
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            programs.program("generate").test_run(packet()[:64], repeat=2_000_000_000, flags=LIVE_FRAMES, batch_size=64)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
