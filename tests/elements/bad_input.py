"""Bad packets for every class of the library, in the router of its manual page, while the address sanitizer watches.

Whatever arrives, an element reads and writes nothing beyond the packet. tests/runtime/test_memory.py runs this file, in a
process that has the sanitizer loaded; by itself pytest doesn't collect it.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_Timestamp
from scapy.layers.inet6 import (
    ICMPv6EchoRequest,
    ICMPv6ND_NA,
    ICMPv6ND_NS,
    ICMPv6NDOptDstLLAddr,
    ICMPv6NDOptSrcLLAddr,
    ICMPv6TimeExceeded,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
)
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.utils import wrpcap

from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError
from clickbpf.graph.codes import PUSH
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.library import SIDES
from clickbpf.testing.examples import examples
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.sources import c_source

LIBRARY = Library.standard()
CLASSES = [name for name in LIBRARY.names() if c_source(LIBRARY.find(name)) is not None]
#: All, or each n-th of them where the environment says so.
TRIED = CLASSES[:: int(os.environ.get("CLICKBPF_EACH", "1"))]

ETHER = Ether(src="02:00:00:00:00:11", dst="02:00:00:00:00:01")
INNER = IP(src="10.0.0.2", dst="10.0.1.2")
#: One sound frame of each kind.
FRAMES = [
    bytes(frame)
    for frame in (
        ETHER / INNER / UDP(sport=1000, dport=53) / b"question",
        ETHER / INNER / TCP(dport=80, flags="S", options=[("MSS", 1460), ("SAckOK", b""), ("WScale", 7)]),
        ETHER / INNER / TCP(dport=21, flags="PA") / b"PORT 10,0,0,2,4,1\r\n",
        ETHER / INNER / ICMP() / b"0123456789",
        ETHER / INNER / ICMP(type=3, code=4) / INNER / UDP(),
        ETHER / IP(dst="10.0.1.2", options=[IPOption_Timestamp(flg=0, length=12)]) / UDP(),
        ETHER / IP(dst="10.0.1.2", flags="MF", frag=0) / UDP() / bytes(16),
        ETHER / IP(dst="10.0.1.2", frag=2) / bytes(24),
        ETHER / Dot1Q(vlan=7) / INNER / UDP(),
        ETHER / ARP(op=1, psrc="10.0.0.2", pdst="10.0.0.1"),
        ETHER / ARP(op=2, psrc="10.0.1.2", pdst="10.0.1.1"),
    )
]
#: Where lengths stand in a frame of IP in Ethernet, with the bytes to put there: version and header length, total length,
#: fragment offset and flags, the UDP length, the data offset of TCP, the header length of an IP packet within ICMP, and of
#: the first option.
LIES = [
    (14, [bytes([value]) for value in range(0x40, 0x50)]),
    (16, [value.to_bytes(2, "big") for value in (0, 1, 19, 20, 21, 27, 28, 60, 1500, 32767, 65535)]),
    (20, [bytes.fromhex(value) for value in ("1fff", "3fff", "2001", "0001", "e000")]),
    (38, [value.to_bytes(2, "big") for value in (0, 7, 8, 9, 255, 65535)]),
    (46, [bytes([value << 4]) for value in range(16)]),
    (42, [bytes([value]) for value in (0x40, 0x44, 0x4F, 0xFF)]),
    (35, [bytes([value]) for value in (0, 1, 2, 3, 39, 40, 255)]),
]


INNER6 = IPv6(src="2001:db8::2", dst="2001:db8:1::2", hlim=255)
#: The same for classes of IPv6.
FRAMES6 = [
    bytes(ETHER / INNER6 / inside)
    for inside in (
        UDP(dport=53) / b"question",
        IPv6ExtHdrHopByHop() / IPv6ExtHdrRouting(addresses=["2001:db8::5"], segleft=1) / IPv6ExtHdrDestOpt() / TCP(dport=80),
        IPv6ExtHdrFragment(m=1) / UDP() / bytes(8),
        ICMPv6EchoRequest(data=b"0123456789"),
        ICMPv6TimeExceeded() / INNER6 / UDP(),
        ICMPv6ND_NS(tgt="2001:db8::1") / ICMPv6NDOptSrcLLAddr(lladdr="02:00:00:00:00:11"),
        ICMPv6ND_NA(tgt="2001:db8::2") / ICMPv6NDOptDstLLAddr(lladdr="02:00:00:00:00:11"),
    )
]
#: Version; payload length; next header; length of the first extension header, or of what is there; of a routing header; of an option.
LIES6 = [
    (14, [bytes([value << 4]) for value in range(16)]),
    (18, [value.to_bytes(2, "big") for value in (0, 1, 7, 8, 23, 24, 25, 1500, 32767, 65535)]),
    (20, [bytes([value]) for value in (0, 6, 17, 43, 44, 51, 58, 59, 60)]),
    (55, [bytes([value]) for value in (0, 1, 2, 3, 255)]),
    (63, [bytes([value]) for value in (0, 1, 2, 3, 255)]),
    (79, [bytes([value]) for value in (0, 1, 2, 255)]),
]


def bad_packets(frames: list[bytes], lies: list[tuple[int, list[bytes]]]) -> Iterator[bytes]:
    """Frames cut at every byte, frames whose lengths lie, and all zeros and ones of every length up to 100."""
    for frame in frames:
        yield from (frame[:length] for length in range(len(frame) + 1))
        for place, values in lies:
            yield from (frame[:place] + value + frame[place + len(value) :] for value in values)
    for length in range(100):
        yield from (bytes(length), b"\xff" * length)


PACKETS, PACKETS6 = list(bad_packets(FRAMES, LIES)), list(bad_packets(FRAMES6, LIES6))


#: Turns of the driver after each batch of packets: enough for what they cause, however long a source goes on.
TURNS = 200
BATCH = 64


def ways_in(runtime: Runtime) -> Iterator[Callable[[bytes], None]]:
    """All places where a packet can be pushed: the devices, and the elements' push inputs."""
    checked = runtime.checked
    for name, element in checked.instances.items():
        if device := element.receives_from():
            yield partial(runtime.inject, device, settle=False)
        elif c_source(type(element)) is not None:
            for port, mode in enumerate(checked.processing[name].inputs):
                if mode == PUSH:
                    yield partial(_push, runtime, name, port)


def _push(runtime: Runtime, element: str, port: int, packet: bytes) -> None:
    runtime.push(element, packet, port, settle=False)


def feed(runtime: Runtime, enter: Callable[[bytes], None], packets: list[bytes]) -> None:
    for first in range(0, len(packets), BATCH):
        for packet in packets[first : first + BATCH]:
            enter(packet)
        with suppress(ClickError):  # a source goes on for ever
            runtime.settle(TURNS)
        for device in runtime.devices:
            for side in SIDES:
                runtime.collect(device, side)


def family(name: str) -> str:
    """The folder that a class is in."""
    return c_source(LIBRARY.find(name)).parent.name


def opens_sockets(name: str) -> bool:
    return family(name) == "sockets"


@pytest.fixture
def call(name: str, request) -> Callable:
    """Calls a function: in a network of its own, for a class whose routers open sockets."""
    if opens_sockets(name):
        return request.getfixturevalue("network").namespace("bad").call
    return lambda function, *arguments: function(*arguments)


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.needs("root", "ip") if opens_sockets(n) else ()) for n in TRIED])
def test_bad_packets(name: str, call, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    call(flood, name)


def flood(name: str) -> None:
    for example in examples(LIBRARY.find(name), LIBRARY)[:1]:
        for file in re.findall(r"[\w-]+\.pcap", example.configuration):
            wrpcap(file, [Ether(frame) for frame in FRAMES])
        for file in re.findall(r"[\w-]+\.(?:tsh|txt)(?:\.gz)?", example.configuration):
            Path(file).write_bytes(b"".join(FRAMES))
        checked = check_text(example.configuration, LIBRARY)
        with Runtime(Compilation(checked), sanitize=os.environ.get("CLICKBPF_SANITIZE"), clock=10**18) as runtime:
            for enter in ways_in(runtime):
                feed(runtime, enter, PACKETS6 if family(name) == "ip6" else PACKETS)
