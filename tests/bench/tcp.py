"""What a TCP of elements costs (figures 6 to 8 of "A Readable TCP in the Prolac Protocol Language"): a segment, by its size, and an echo
by the size of what is echoed, beside Linux's TCP.

A segment's time is the processor's for all that both ends of a connection in one runtime do with it, acknowledgements included. No
device and no waiting is in it: time is simulated. An echo's time is a round trip between a client of Linux and a router's process: to the
elements by a tun, to Linux's TCP, whose server is Socket in such a process, by the loopback device.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest import mock

from tests.bench.effort import Effort
from tests.bench.forwarding import running
from tests.bench.native import checked

from clickbpf.build.host import FLAGS_VARIABLE
from clickbpf.compile import Compilation
from clickbpf.runtime.host import Runtime
from clickbpf.testing.netns import Network

NONE, FOUR, LINUX = "no extension", "the paper's four", "Linux's TCP"
EVERY = "delayack slowstart cubic fastrecovery headerprediction windowscale timestamps sack sackrecovery"
EXTENSIONS = {NONE: "", FOUR: "delayack slowstart fastrecovery headerprediction", "all": EVERY}
#: Bytes of packets with segments, and of what is echoed. Bytes that a connection carries, one in each second of simulated time.
MTUS, SIZES = (576, 1500, 4000, 9000), (4, 64, 256, 1024, 1400)
LENGTH = 4_000_000
ECHOES, WARM = 1000, 100
TCP = """
elementclass TCP { $tcp, $port |
    input -> TCPLookup($tcp) -> TCPListen($tcp, $port) -> TCPSynSent($tcp) -> TCPTrim($tcp) -> TCPReset($tcp)
        -> TCPAcknowledge($tcp) -> TCPReassemble($tcp) -> TCPFin($tcp) -> output;
}
"""


def connections(name: str, extensions: str, more: str = "") -> str:
    return f"{name} :: TCPConnections(100, BUFFER 65536, NODELAY true{', EXTENSIONS ' * bool(extensions)}{extensions}{more});"


def measure(effort: Effort) -> Iterator[tuple[str, int, list[float]]]:
    """(extensions, bytes of a packet, nanoseconds of a segment in each round); of all also by a compiler that doesn't optimise, and inlines
    only what it must."""
    cases = [(name, extensions, None) for name, extensions in EXTENSIONS.items()] + [("all, -O0", EVERY, "-O0")]
    for mtu in effort.up_to(MTUS):
        with ExitStack() as undo:
            routers = {name: undo.enter_context(pair(extensions, mtu, flags)) for name, extensions, flags in cases}
            rounds = [{name: segment(router, mtu) for name, router in routers.items()} for _ in range(effort.rounds)]
        yield from ((name, mtu, [times[name] for times in rounds]) for name in routers)


@contextmanager
def pair(extensions: str, mtu: int, flags: str | None) -> Iterator[Runtime]:
    """Two TCPs, of which one sends to the other at each second; half of one is over."""
    both = "".join(connections(name, extensions, f", MTU {mtu}") for name in ("near", "far"))
    text = f"""{TCP} {both}
        source :: TCPSource(near, 10.0.0.1, 10.0.0.2, 9, LENGTH {LENGTH}, RATE 1) -> TCPOutput(near) -> TCP(far, 9) -> TCPDiscard(far);
        output :: TCPOutput(far) -> TCP(near, 1) -> source; Idle -> output;"""
    with mock.patch.dict(os.environ, {FLAGS_VARIABLE: flags} if flags else {}):
        router = Runtime(Compilation(checked(text)), clock=10**12)
    try:
        router.initialise()
        router.settle()
        router.advance(5 * 10**8)
        yield router
    finally:
        router.close()


def segment(router: Runtime, mtu: int) -> float:
    before = int(router.handlers.read("far", "received"))
    begin = time.perf_counter_ns()
    router.advance(10**9)
    end = time.perf_counter_ns()
    if int(router.handlers.read("far", "received")) - before != LENGTH:
        raise ValueError("a connection hasn't ended")
    return (end - begin) / (LENGTH / (mtu - 40))


def measure_echo(effort: Effort) -> Iterator[tuple[str, int, list[float]]]:
    """(whose TCP, bytes that are echoed, nanoseconds of a round trip in each round)."""
    sizes = effort.up_to(SIZES)
    found: dict[tuple[str, int], list[float]] = {}
    with Network() as net:
        for _ in range(effort.live):
            for name, extensions in ((LINUX, None), *EXTENSIONS.items()):
                host = net.namespace("host")
                with running(server(extensions))(host):
                    address = "127.0.0.1" if extensions is None else "192.0.2.9"
                    for size, times in zip(sizes, host.call(round_trips, address, sizes), strict=True):
                        found.setdefault((name, size), []).append(times)
        for (name, size), rounds in found.items():
            yield name, size, rounds


def server(extensions: str | None) -> str:
    """A router that echoes at port 7."""
    if extensions is None:
        return 's :: Socket(TCP, 0.0.0.0, 7) -> s; Script(print "ready");'
    line = "tun :: KernelTun(192.0.2.1/24) -> TCP(tcp, 7) -> TCPEcho(tcp) -> TCPOutput(tcp) -> tun;"
    return f'{TCP} {connections("tcp", extensions)} {line} Script(print "ready");'


def round_trips(address: str, sizes: list[int]) -> list[float]:
    """The median of many, in ns, for each size."""
    with socket.create_connection((address, 7), 20) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return [sorted(round_trip(client, bytes(size)) for _ in range(WARM + ECHOES))[(WARM + ECHOES) // 2] for size in sizes]


def round_trip(client: socket.socket, data: bytes) -> float:
    begin = time.perf_counter_ns()
    client.sendall(data)
    left = len(data)
    while left:
        left -= len(client.recv(left)) or left
    return time.perf_counter_ns() - begin
