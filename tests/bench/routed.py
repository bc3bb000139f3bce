"""An accelerated Linux router beside Linux's own forwarding when the network changes, and with many routes. As root.

    make routed, or: .venv/bin/python -m tests.bench.routed [--rounds N] [--routes N]

Each round makes a network for Linux alone and one that is accelerated, and counts the frames that are lost when a link is cut, when the
sink's Ethernet address changes (tests/routed/lab.py), and when keepalived moves the gateway's address (pair.py). Then BIRD tells an
accelerated router of many routes: how long after Linux the router has them, how long after a change while it asks for all of them, what its
process has of memory, and what is lost to prefixes that stay while others change.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from ipaddress import IPv4Address
from pathlib import Path

from tests.accelerated import Accelerated
from tests.bench.swaps import Route, Traffic
from tests.routed.lab import IPV4, IPV6, NAMES, Family, Lab, accelerated
from tests.routed.pair import NAMES as PAIR
from tests.routed.pair import Pair
from tests.routed.test_full import others
from tests.waiting import eventually

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process.service import alive
from clickbpf.runtime.client import ControlClient
from clickbpf.testing.netns import Namespace, Network

RATE, FLOWS, STABLE, CHANGES = 100_000, 64, 64, 100_000
BGP = """
protocol bgp {{
	local {own} as {number}; neighbor {other} as {others}; connect delay time 1; ipv4 {{ import all; export {what}; next hop self; }};
}}
"""


def links(fast: bool, family: Family) -> dict[str, int]:
    """Frames lost to a cut, of flows by the cable and of the others, and to an Ethernet address that isn't there any more."""
    with ExitStack() as undo:
        lab = Lab(undo, family)
        lab.converges(lab.gateway(12, 2), lab.gateway(13, 3))
        if fast:
            routers = undo.enter_context(accelerated(lab))
            eventually(lambda: all(router.row(family.behind, family.table) for router in routers.values()))
        traffic = Traffic(lab.source, lab.sink, RATE, undo, flows=FLOWS, route=lab.route)
        traffic.start()
        undo.callback(traffic.stop)
        eventually(lambda: all(traffic.flow(n).received > 1000 for n in range(FLOWS)))
        before = traffic.lost()
        cut = {n for n in before if traffic.flow(n).ttl == 64 - len(NAMES)}
        traffic.pause(False)
        lab.at["two"].ip("link", "set", "eth1", "down")
        time.sleep(2)
        after = {n: number - before[n] for n, number in traffic.lost().items()}
        traffic.pause(False)
        moved = sum(traffic.flow(n).moved for n in range(FLOWS) if n not in cut)
        lab.sink.ip("link", "set", "eth0", "address", "02:00:00:00:33:02")
        had = [traffic.flow(n).received for n in range(FLOWS)]
        time.sleep(1)
        late = sum(max(0, traffic.flow(n).before - had[n]) for n in range(FLOWS))
        cut_lost = sum(number for n, number in after.items() if n in cut)
        counted = {"cut": cut_lost, "cut, other flows": sum(after.values()) - cut_lost, "moved, other flows": moved, "address": late}
        return {f"IPv{family.version}: {what}": number for what, number in counted.items()}


def gateway(fast: bool) -> dict[str, int]:
    """Frames, of a thousand a second, lost when the gateway's cable is cut, and when it comes back."""
    with ExitStack() as undo:
        pair = Pair(undo)
        eventually(lambda: pair.owner() == "first")
        for name in PAIR if fast else ():
            undo.callback(Accelerated(pair.at[name], f"{name}{os.getpid()}").unload)
        traffic = pair.traffic(undo)
        eventually(lambda: traffic.received[0] > 1000)
        found = {}
        for what, state in (("gateway", "down"), ("gateway, back", "up")):
            before = traffic.lost()[0]
            traffic.pause(False)
            pair.switch.ip("link", "set", "first1", state)
            time.sleep(4)
            found[what] = traffic.lost()[0] - before
        return found


def compare(rounds: int) -> None:
    found: dict[tuple[str, bool], list[int]] = {}
    for _ in range(rounds):
        for fast in (False, True):
            for what, number in {**links(fast, IPV4), **links(fast, IPV6), **gateway(fast)}.items():
                found.setdefault((what, fast), []).append(number)
    print("lost, Linux and accelerated: medians of", rounds, "rounds (each)")
    for what in dict.fromkeys(name for name, _ in found):
        print(f"  {what}:", *(f"{statistics.median(found[what, fast]):g} {found[what, fast]}" for fast in (False, True)))


class Full:
    """An accelerated router, and a peer that tells it of routes by BGP."""

    def __init__(self, undo: ExitStack, folder: Path):
        network = undo.enter_context(Network())
        self.linux, self.folder = network.namespace("router"), folder
        self.linux.sysctl("net.ipv4.ip_forward", "1")
        self.source = network.host("source", self.linux, "eth0", "10.0.0.2/24", "10.0.0.1")
        self.peer = network.host("peer", self.linux, "eth1", "10.0.1.2/24", "10.0.1.1")
        for side in (0, 1):
            self.linux.address(f"eth{side}", f"10.0.{side}.1/24")
        self.router = Accelerated(self.linux, f"full{os.getpid()}")
        undo.callback(self.router.unload)
        self.runtime = alive(RunFolder.of(self.router.name))
        self.control = undo.enter_context(ControlClient(RunFolder.of(self.router.name).control))

    def tell(self, prefixes: list[str]) -> None:
        (self.folder / "routes.conf").write_text("".join(f"route {each} blackhole;\n" for each in prefixes))
        static = 'protocol static { ipv4;\ninclude "routes.conf";\n}\n'
        kernel = "protocol kernel { ipv4 { export where source = RTS_BGP; }; }\n"
        ends = ((self.linux, "10.0.1.1", "10.0.1.2", 1, kernel, "none"), (self.peer, "10.0.1.2", "10.0.1.1", 2, static, "all"))
        for where, own, other, number, protocol, what in ends:
            text = BGP.format(own=own, other=other, number=65000 + number, others=65003 - number, what=what)
            config = self.folder / f"{number}.conf"
            config.write_text(f"router id {own}; protocol device {{ }}\n{protocol}{text}")
            where.popen("bird", "-f", "-c", str(config), "-s", str(self.folder / f"{number}.ctl"))

    def read(self, name: str) -> int:
        return int(self.control.read(f"rt.{name}"))

    def memory(self) -> str:
        return re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{self.runtime}/status").read_text())[1]


def in_linux(linux: Namespace) -> int:
    """Prefixes of its main table."""
    text = linux.call(Path("/proc/thread-self/net/fib_triestat").read_text)
    return int(re.search(r"Main:.*?Prefixes:\s+(\d+)", text, re.DOTALL)[1])


def until(happened: Callable[[], bool]) -> float:
    """Seconds."""
    start = time.monotonic()
    if not eventually(happened, 300):
        raise SystemExit("it did not happen in five minutes")
    return time.monotonic() - start


def full(count: int, folder: Path) -> None:
    with ExitStack() as undo:
        made = Full(undo, folder)
        prefixes, before = [*others(count), *(f"198.18.{number}.0/24" for number in range(STABLE))], in_linux(made.linux)
        own = made.read("routes")
        made.tell(prefixes)
        until(lambda: in_linux(made.linux) >= before + 100)
        took = until(lambda: in_linux(made.linux) >= before + len(prefixes))
        late = until(lambda: made.read("routes") >= own + len(prefixes))
        missing = sum(made.control.read("rt.lookup", each.partition("/")[0]) != "1 10.0.1.2" for each in prefixes[::97])
        print(f"{len(prefixes)} routes by BGP: Linux has them in {took:.1f} s, the router {late:.3f} s later; {made.memory()} kB at most")
        print(f"of each 97th, {missing} are not in the table")
        mac = bytes.fromhex(made.linux.mac("eth0").replace(":", ""))
        route = Route(mac, IPv4Address("10.0.0.2"), IPv4Address("198.18.0.1"))
        traffic = Traffic(made.source, made.peer, RATE, undo, flows=STABLE, route=route)
        traffic.start()
        undo.callback(traffic.stop)
        time.sleep(1)
        updates = made.read("updates")
        changed = (prefixes[: CHANGES // 2] * 2)[: CHANGES // 2]
        lines = "".join(f"route del {each}\nroute add {each} via 10.0.0.2\n" for each in dict.fromkeys(changed))
        start = time.monotonic()
        made.linux.run("ip", "-batch", "-", input=lines, timeout=300)
        took = time.monotonic() - start
        late = until(lambda: made.read("updates") >= updates + lines.count("\n"))
        traffic.pause(True)
        time.sleep(0.5)
        print(f"{lines.count(chr(10))} changes in {took:.1f} s: the router has the last {late:.3f} s later; ", end="")
        print(f"of {traffic.sent} frames to other prefixes {traffic.sent - traffic.received[0]} are lost")
        made.linux.ip("nexthop", "add", "id", "7", "via", "10.0.1.2", "dev", "eth1")
        time.sleep(0.05)
        updates = made.read("updates")
        made.linux.ip("route", "add", "203.0.113.0/24", "via", "10.0.0.2")
        late = until(lambda: made.read("updates") > updates)
        asked = made.read("resyncs")
        again = until(lambda: made.read("resyncs") > asked)
        print(f"a change while all are asked for is there {late:.3f} s later, the answer {again:.1f} s; {made.memory()} kB at most")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--routes", type=int, default=1_000_000)
    chosen = arguments.parse_args()
    compare(chosen.rounds)
    if chosen.routes:
        with tempfile.TemporaryDirectory() as folder:
            full(chosen.routes, Path(folder))


if __name__ == "__main__":
    main()
