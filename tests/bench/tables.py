"""What large tables cost: a packet through filters of 1 to 10,000 rules and routing tables of 10 to 1,000,000 routes, in the kernel,
and what it takes to load them.

Packets are made for rules and routes that are there, and each takes its turn many times, so that what it needs is in the cache. Of a
filter the slowest of these packets counts.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from random import Random

from scapy.layers.inet import IP, TCP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from tests.bench.effort import Effort
from tests.bench.loaded import Loaded

from clickbpf.compile import check_file, check_text
from clickbpf.graph.check import CheckedRouter
from clickbpf.vocabulary.library import Library

SPENT = Path(__file__).with_name("spent.py")
CLICKBPF = "from clickbpf.cli.main import main; raise SystemExit(main())"
RULES, ROUTES, ROUTES6 = (1, 10, 100, 1000, 10_000), (10, 1000, 100_000, 1_000_000), (10, 250_000)
FEW_RULES, FEW_ROUTES = "10 rules", "10 routes"
FIREWALL = Path(__file__).parents[2] / "configs" / "firewall.click"
LIBRARY = Library.standard()
PACKETS, REPEAT, RUNS = 24, 2000, 5
#: Lengths of prefixes, and how many of a hundred have them: about what a router of the Internet has.
LENGTHS, SHARES = (12, 16, 18, 20, 21, 22, 23, 24, 28, 32), (1, 3, 3, 6, 6, 12, 10, 55, 2, 2)

LENGTHS6, SHARES6 = (29, 32, 36, 40, 44, 46, 48, 64), (3, 12, 6, 9, 9, 4, 55, 2)
#: Bits of IPv6 prefixes by which a registry's networks differ.
REGISTRIES, BLOCKS = (0x2001, 0x2400, 0x2600, 0x2804, 0x2A00, 0x2C0F), 13

Network = tuple[IPv4Address | IPv6Address, int]


def measure_rules(effort: Effort) -> Iterator[tuple[str, float]]:
    """(rules, nanoseconds of the slowest packet)."""
    for count in effort.up_to(RULES):
        text, frames = filter_of(count)
        yield f"{count} rules", max(times(check_text(text, LIBRARY), frames))
    firewall = check_file(FIREWALL, LIBRARY, {"OUTSIDE": "in", "INSIDE": "out"})
    yield "the whole of configs/firewall.click, 17 rules", times(firewall, [transfer()])[0]


def measure_routes(effort: Effort) -> Iterator[tuple[str, float]]:
    """(routes, nanoseconds of a packet)."""
    for count in effort.up_to(ROUTES):
        text, frames = table_of(count)
        yield f"{count} routes", statistics.mean(times(check_text(text, LIBRARY), frames))
    for count in effort.up_to(ROUTES6):
        text, frames = table6_of(count)
        yield f"{count} routes of IPv6", statistics.mean(times(check_text(text, LIBRARY), frames))


def measure_loads(effort: Effort) -> Iterator[tuple[str, float]]:
    """(table, seconds from its text to a router in user space)."""
    for name, (seconds, _) in loads(effort):
        yield name, seconds


def measure_memory(effort: Effort) -> Iterator[tuple[str, float]]:
    """(table, most megabytes that the process had meanwhile)."""
    for name, (_, megabytes) in loads(effort):
        yield name, megabytes


@cache
def loads(effort: Effort) -> list[tuple[str, tuple[float, float]]]:
    """Seconds and megabytes of each table."""
    tables = {f"{count} routes": table_of(count)[0] for count in effort.up_to(ROUTES)}
    tables |= {f"{count} routes of IPv6": table6_of(count)[0] for count in effort.up_to(ROUTES6)}
    tables |= {f"{count} rules": filter_of(count)[0] for count in effort.up_to(RULES)}
    return [(name, load(text)) for name, text in tables.items()]


def load(text: str) -> tuple[float, float]:
    """Seconds of CPU and megabytes of a process that makes the router."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.click")
        path.write_text(text.replace("FromDevice(in)", "Idle").replace("Queue -> ToDevice(out)", "Discard"))
        command = [sys.executable, "-c", CLICKBPF, "run", "--quit", "--no-kernel", str(path)]
        seconds, megabytes = json.loads(subprocess.check_output([sys.executable, str(SPENT), *command]))
        return seconds, megabytes


def times(router: CheckedRouter, frames: list[bytes]) -> list[float]:
    """Nanoseconds of each packet in the kernel."""
    with ExitStack() as undo:
        program = Loaded(undo, router).program()
        return [float(min(program.test_run(frame, repeat=REPEAT).duration for _ in range(RUNS))) for frame in frames]


def filter_of(count: int) -> tuple[str, list[bytes]]:
    """A router with a filter of this many rules, packets that match some of them, and packets that only match the last."""
    draw = Random(count)
    rules, frames = [], []
    for _ in range(count - 1):
        (source, length), (target, other), port = network(draw), network(draw), draw.randrange(1, 64_000)
        rule, chance = f"dst net {target}/{other} && tcp && dst port {port}", draw.random()
        if chance < 0.8:
            rule += f" && src net {source}/{length}"
        if chance < 0.2:
            rule = rule.replace(f"dst port {port}", f"dst port >= {port} && dst port <= {port + 1000}")
        rules.append(f"{draw.choice(('allow', 'deny'))} {rule}")
        frames.append(frame(source, target, port))
    frames = draw.sample(frames, min(len(frames), PACKETS)) + [frame(IPv4Address("192.0.2.1"), IPv4Address("192.0.2.2"), 7)]
    filter_ = f"IPFilter({', '.join([*rules, 'allow all'])})"
    return f"FromDevice(in) -> MarkIPHeader(14) -> {filter_} -> Queue -> ToDevice(out);", frames


def transfer() -> bytes:
    """A packet that the firewall's rule before the last lets through, as in the paper on optimisations."""
    ip = IP(src="198.51.100.10", dst="192.0.2.53")
    return bytes(Ether(dst="02:00:00:00:00:10") / ip / TCP(sport=1024, dport=53) / bytes(10))


def table_of(count: int) -> tuple[str, list[bytes]]:
    """A router with this many routes, and packets to some of them."""
    draw = Random(count)
    routes = dict.fromkeys(network(draw) for _ in range(count * 5 // 4))
    chosen = list(routes)[:count]
    frames = [frame(IPv4Address("192.0.2.1"), target, 7) for target, _ in draw.sample(chosen, min(count, PACKETS))]
    table = f"RadixIPLookup({', '.join(f'{target}/{length} 0' for target, length in chosen)})"
    return f"FromDevice(in) -> MarkIPHeader(14) -> GetIPAddress(30) -> {table} -> Queue -> ToDevice(out);", frames


def table6_of(count: int) -> tuple[str, list[bytes]]:
    """The same of IPv6."""
    draw = Random(count)
    routes: dict[Network, None] = {}
    while len(routes) < count:
        routes[network6(draw)] = None
    frames = [frame6(target) for target, _ in draw.sample(list(routes), min(count, PACKETS))]
    table = f"LookupIP6Route({', '.join(f'{target}/{length} 0' for target, length in routes)})"
    return f"FromDevice(in) -> MarkIP6Header(14) -> GetIP6Address(38) -> {table} -> Queue -> ToDevice(out);", frames


def network(draw: Random) -> Network:
    (length,) = draw.choices(LENGTHS, SHARES)
    return IPv4Address(draw.randrange(1 << 24, 223 << 24) >> 32 - length << 32 - length), length


def frame(source: IPv4Address, target: IPv4Address, port: int) -> bytes:
    return bytes(Ether(dst="02:00:00:00:00:10") / IP(src=str(source), dst=str(target)) / TCP(dport=port) / bytes(10))


def network6(draw: Random) -> Network:
    """Of the networks of 2^13 blocks of each registry, in parts of 16 bits."""
    (length,) = draw.choices(LENGTHS6, SHARES6)
    address = draw.choice(REGISTRIES) << 112 | draw.getrandbits(BLOCKS) << 99 | draw.getrandbits(32) << 64
    return IPv6Address(address >> 128 - length << 128 - length), length


def frame6(target: IPv6Address) -> bytes:
    return bytes(Ether(dst="02:00:00:00:00:10") / IPv6(src="2001:db8::1", dst=str(target)) / TCP(dport=7) / bytes(10))
