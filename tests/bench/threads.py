"""What one and two of the runtime's threads do: packets a second through the IP router's path, network address translation and an IPsec
tunnel, in user space and without devices. After "Flexible Control of Parallelism in a Multiprocessor PC Router" (Chen and Morris,
USENIX 2001).

Packets of two flows come from two sources, each with a thread of its own, or both with one. Both flows go through one IPRewriter; of
the other elements each flow has its own, as where HashSwitch splits flows (configs/papers/smp-flows.click).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache

from tests.bench import path
from tests.bench.anchor import ROUTER
from tests.bench.effort import Effort
from tests.bench.kernel import NEXT_HOP, NEXT_MAC, packet

from clickbpf.compile import Compilation, check_text
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library

ESP = ROUTER.parent / "papers" / "lib" / "esp.click"
#: The elements of the path, as often as there are flows.
DECLARED, WAY = path.written(line="{n}")
#: What all flows share, what each has of its own, and its way after its source.
ROUTERS = {
    "IP router": ("", DECLARED, f"{WAY}-> done;"),
    "NAT": (
        "nat :: IPRewriter(pattern 192.0.2.1 1024-65535 - - 0 0, drop); Idle -> [1] nat; nat -> done;",
        "",
        "-> Strip(14) -> MarkIPHeader(0) -> [0] nat;",
    ),
    "IPsec": (
        f"require(library {ESP});",
        "",
        "-> Strip(14) -> ESPOut(0x100{n}, 000102030405060708090a0b0c0d0e0f, 000102030405060708090a0b0c0d0e0f10111213)"
        " -> IPEncap(50, 192.0.2.1, 192.0.2.2) -> done;",
    ),
}
THREADS = (1, 2)
REFERENCE = next(iter(ROUTERS))


def measure(effort: Effort) -> Iterator[tuple[str, int, list[float]]]:
    """(router, threads, packets a second in each round)."""
    for (name, threads), rates in measured(effort).items():
        yield name, threads, rates


def measure_gain(effort: Effort) -> Iterator[tuple[str, list[float]]]:
    """(router, how many times as many packets with two threads, in each round)."""
    rates = measured(effort)
    for name in ROUTERS:
        yield name, [two / one for one, two in zip(rates[name, 1], rates[name, 2])]


@cache
def measured(effort: Effort) -> dict[tuple[str, int], list[float]]:
    found: dict[tuple[str, int], list[float]] = {(name, threads): [] for name in ROUTERS for threads in THREADS}
    for _ in range(effort.live):
        for (name, threads), rates in found.items():
            rates.append(rate(text(name, threads), threads, effort.seconds))
    return found


def text(name: str, threads: int) -> str:
    """The router with two flows; all elements that packets begin at are given threads."""
    shared, own, way = ROUTERS[name]
    flows = []
    for number in range(max(THREADS)):
        frame = bytearray(packet())
        frame[29] += number
        # The sum of the header stays as it is: the identification makes up for the address.
        frame[18:20] = (int.from_bytes(frame[18:20]) - number & 0xFFFF).to_bytes(2)
        source = f"s{number} :: InfiniteSource(DATA \\<{bytes(frame).hex()}>, LIMIT -1, BURST 32, TIMESTAMP false)"
        flows.append(own.format(n=number) + source + way.format(n=number))
    homes = ", ".join(f"s{number} {number % threads}" for number in range(max(THREADS)))
    return "\n".join(["done :: Counter -> Discard;", shared, *flows, f"StaticThreadSched({homes});"])


def rate(configuration: str, threads: int, seconds: float) -> float:
    """Packets a second."""
    with Runtime(Compilation(check_text(configuration, Library.standard())), threads=threads) as runtime:
        for name in runtime.instances:
            if name.startswith("arpquerier"):
                runtime.handlers.write(name, "insert", f"{NEXT_HOP} {NEXT_MAC}")
        runtime.start()
        time.sleep(seconds / 4)
        before, start = count(runtime), time.monotonic()
        time.sleep(seconds)
        found = (count(runtime) - before) / (time.monotonic() - start)
        runtime.stop()
    if not found:
        raise ValueError("no packet arrived")
    return found


def count(runtime: Runtime) -> int:
    return int(runtime.handlers.read("done", "count"))
