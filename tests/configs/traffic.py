"""Streams of packets through a router whose clock is the test's: what is offered at a rate, and what comes out at which.

flood = Stream("eth0", packet, 2000)
out = offer(router, [flood], seconds=10)
out.rate("eth1", lambda data: data[15] == 0x28)
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.testing.diff import PacketLike, to_bytes
from clickbpf.testing.record import Output
from clickbpf.testing.router import Router

CONFIGS = Path(__file__).parents[2] / "configs"
PAPERS = CONFIGS / "papers"
#: Nanoseconds between two checks for packets that are due: the runtime's own timers are exact, so it only makes small bursts.
STEP = 1_000_000

Wanted = Callable[[bytes], bool]


@dataclass(frozen=True)
class Stream:
    """Equal packets that arrive on a device at even intervals, `rate` of them in a second."""

    device: str
    packet: bytes
    rate: float

    @classmethod
    def of_bytes(cls, device: str, packet: PacketLike, rate: float) -> Stream:
        """`rate` bytes in a second."""
        raw = to_bytes(packet)
        return cls(device, raw, rate / len(raw))

    def times(self) -> Iterator[tuple[int, str, bytes]]:
        """When its packets arrive, in ns; half an interval late, so that streams don't march in step."""
        if self.rate:
            for number in itertools.count():
                yield round((number + 0.5) * 1e9 / self.rate), self.device, self.packet


@dataclass(frozen=True)
class Offered:
    """The packets that left the router in this many seconds."""

    outputs: list[Output]
    seconds: float

    def count(self, device: str, wanted: Wanted = lambda data: True) -> int:
        return sum(output.device == device and wanted(output.data) for output in self.outputs)

    def rate(self, device: str, wanted: Wanted = lambda data: True) -> float:
        """Packets in a second."""
        return self.count(device, wanted) / self.seconds

    def bytes_rate(self, device: str, wanted: Wanted = lambda data: True) -> float:
        return sum(len(o.data) for o in self.outputs if o.device == device and wanted(o.data)) / self.seconds


def offer(router: Router, streams: Iterable[Stream], seconds: float, settle: float = 1.0) -> Offered:
    """Let streams run for `settle` seconds, in which queues fill and averages find their values, and then for `seconds`
    that are reported."""
    arriving = heapq.merge(*(stream.times() for stream in streams))
    due = next(arriving, None)
    begin, end = round(settle * 1e9), round((settle + seconds) * 1e9)
    left: list[Output] = []
    for now in range(0, end, STEP):
        taken: list[Output] = []
        while due and due[0] < now + STEP:
            taken += router.executor.send(due[1], due[2])
            due = next(arriving, None)
        taken += router.executor.advance(STEP / 1e9)
        if now >= begin:
            left += taken
    return Offered(left, seconds)


def macs(devices: int) -> dict[str, str]:
    """The Ethernet addresses that the configurations give to the devices eth0, eth1, ... by default."""
    return {f"eth{i}": f"02:00:00:00:{i:02x}:10" for i in range(devices)}


def datagram(tos: int = 0, length: int = 100, src: str = "10.0.0.2", dst: str = "10.0.1.2", sport: int = 4000, dport: int = 4001) -> bytes:
    """A frame of `length` bytes with UDP."""
    packet = Ether(dst="02:00:00:00:00:10", src="02:00:00:00:00:99") / IP(src=src, dst=dst, tos=tos) / UDP(sport=sport, dport=dport)
    return bytes(packet / bytes(length - len(packet)))


def has_tos(tos: int) -> Wanted:
    """Whether a frame is IP with that TOS byte."""
    return lambda data: data[12:14] == b"\x08\x00" and data[15] == tos


def has_source(address: str) -> Wanted:
    """Whether a frame is IP from that address."""
    raw = bytes(map(int, address.split(".")))
    return lambda data: data[12:14] == b"\x08\x00" and data[26:30] == raw
