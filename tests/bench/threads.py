"""What one and two of the runtime's threads do: packets a second through the IP router's path, network address translation and an IPsec
tunnel, in user space and without devices. After "Flexible Control of Parallelism in a Multiprocessor PC Router" (Chen and Morris,
USENIX 2001).

Packets of two flows come from two sources, each with a thread of its own, or both with one. Both flows go through one IPRewriter, or
through two of 32 (section 5.4); of the other elements each flow has its own, as where HashSwitch splits flows
(configs/papers/smp-flows.click).

In a pipeline the packets of one source are handed over at Queues. In the split one each thread has half of the elements. The uneven ones
are three (Figure 15), of which the first has as much to do as the two others, and a thread of its own. Of the schedules (Figure 17) one
gives each thread as much to do, one gives one thread everything, and one begins like that and mends itself.
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
KEYS = "000102030405060708090a0b0c0d0e0f, 000102030405060708090a0b0c0d0e0f10111213"
ENCRYPT = f"-> ESPOut(0x1000, {KEYS}) -> IPEncap(50, 192.0.2.1, 192.0.2.2)"
#: What packets that rewriters() translate come from.
REWRITTEN = "rewritten"


def rewriters(number: int) -> str:
    """So many rewriters with the same number of ports each, among which packets go by their source, and what packets come from then."""
    share = (1 << 16) // number
    each = (
        f"to[{n}] -> nat{n} :: IPRewriter(pattern 192.0.2.1 {max(1024, n * share)}-{(n + 1) * share - 1} - - 0 0, drop);"
        f"Idle -> [1] nat{n}; nat{n} -> {REWRITTEN};"
        for n in range(number)
    )
    return f"to :: HashSwitch(12, 4); {REWRITTEN} :: Null; {' '.join(each)}"


SHARED_WORD = "IP router, a shared word"
#: What all flows share, what each has of its own, and its way after its source.
ROUTERS = {
    "IP router": ("", DECLARED, f"{WAY}-> done;"),
    SHARED_WORD: ("turns :: RoundRobinSwitch -> done;", DECLARED, f"{WAY}-> turns;"),
    "NAT": (f"{rewriters(1)} {REWRITTEN} -> done;", "", "-> Strip(14) -> MarkIPHeader(0) -> to;"),
    "NAT, 32 rewriters": (f"{rewriters(32)} {REWRITTEN} -> done;", "", "-> Strip(14) -> MarkIPHeader(0) -> to;"),
    "IPsec": (
        f"require(library {ESP});",
        "",
        f"-> Strip(14) {ENCRYPT.replace('0x1000', '0x100{n}')} -> done;",
    ),
}
SOURCE = "s{n} :: InfiniteSource(DATA \\<{frame}>, LIMIT -1, BURST {burst}, TIMESTAMP false)"
HALF = "-> Strip(14) -> CheckIPHeader -> DecIPTTL -> IPFragmenter(1500) -> Unstrip(14)"
#: Pipelines, and the thread of each task if there are two.
PIPELINES = {
    "IP router, split": (f"{{s0}} {HALF} -> Queue -> u :: Unqueue(BURST 8) {HALF} -> done;", {"s0": 0, "u": 1}),
    "IPsec, sink apart": (f"{{s0}} -> Strip(14) {ENCRYPT} -> Queue -> u :: Unqueue(BURST 8) -> done;", {"s0": 0, "u": 1}),
    "IPsec, source apart": (f"{{s0}} -> Queue -> u :: Unqueue(BURST 8) -> Strip(14) {ENCRYPT} -> done;", {"s0": 0, "u": 1}),
    "uneven pipelines": (
        "{s0} -> Strip(14) -> r :: RoundRobinSwitch;"
        f"r[0] -> Queue -> u0 :: Unqueue(BURST 8) {ENCRYPT} {ENCRYPT} -> done;"
        f"r[1] -> Queue -> u1 :: Unqueue(BURST 8) {ENCRYPT} -> done; r[2] -> Queue -> u2 :: Unqueue(BURST 8) {ENCRYPT} -> done;",
        {"s0": 1, "u0": 0, "u1": 1, "u2": 1},
    ),
}
LINES = 4
SCHEDULED = "".join(f"{{s{n}}} -> Strip(14) {ENCRYPT} -> done;" for n in range(LINES))
ALL_ON_ONE = {f"s{n}": 0 for n in range(LINES)}
PIPELINES |= {
    "IPsec, static schedule": (SCHEDULED, {f"s{n}": n for n in range(LINES)}),
    "IPsec, bad schedule": (SCHEDULED, ALL_ON_ONE),
    "IPsec, adaptive schedule": (f"{SCHEDULED} BalancedThreadSched(100);", ALL_ON_ONE),
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
    for name in (*ROUTERS, *PIPELINES):
        yield name, [two / one for one, two in zip(rates[name, 1], rates[name, 2])]


@cache
def measured(effort: Effort) -> dict[tuple[str, int], list[float]]:
    found: dict[tuple[str, int], list[float]] = {(name, threads): [] for name in (*ROUTERS, *PIPELINES) for threads in THREADS}
    for _ in range(effort.live):
        for (name, threads), rates in found.items():
            rates.append(rate(text(name, threads), threads, effort.seconds))
    return found


def text(name: str, threads: int) -> str:
    """The router with two flows, or a pipeline; all elements that packets begin at are given threads."""
    if name in PIPELINES:
        pipeline, apart = PIPELINES[name]
        homes = ", ".join(f"{task} {thread % threads}" for task, thread in apart.items())
        for n in range(LINES):
            pipeline = pipeline.replace(f"{{s{n}}}", SOURCE.format(n=n, frame=packet().hex(), burst=8))
        return f"require(library {ESP}); done :: Counter -> Discard; {pipeline} StaticThreadSched({homes});"
    shared, own, way = ROUTERS[name]
    flows = []
    for number in range(max(THREADS)):
        frame = bytearray(packet())
        frame[29] += number
        # The sum of the header stays as it is: the identification makes up for the address.
        frame[18:20] = (int.from_bytes(frame[18:20]) - number & 0xFFFF).to_bytes(2)
        source = SOURCE.format(n=number, frame=bytes(frame).hex(), burst=32)
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
