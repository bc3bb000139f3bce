"""Whether the kernel path makes a difference to the rewriters: packets, tables and counts with it and without it."""

import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, fragment
from scapy.layers.l2 import Ether

from clickbpf.testing.equivalence import Packets, Twins, arrivals
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.punt import assert_punts_unchanged
from clickbpf.testing.single import Surroundings
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.needs("root")

#: Few addresses and ports, so that many packets belong together; those of the NAT are among them, for replies.
MIX = Mix(
    links=weights(ethernet=1),
    contents=weights(ipv4=20, noise=1),
    addresses=("10.0.0.9", "8.8.8.8", "192.0.2.1", "192.0.2.2"),
    ports=(80, 1024, 1025, 1026),
)

REWRITERS = (
    "IPRewriter(pattern 192.0.2.1 1024-1040# - - 0 1, drop, MAPPING_CAPACITY 20)",
    "IPRewriter(pattern 192.0.2.1 1024-1040# 8.8.8.8 80 0 1, keep 1 0, REPLY_ANNO PAINT, UDP_STREAMING_TIMEOUT 9, CAPACITY 20)",
    "IPRewriter(pass 1, pattern 192.0.2.1 1024-1026# - - 0 1, MAPPING_CAPACITY 3)",
    "TCPRewriter(pattern 192.0.2.1 1024-1040# - - 0 1, pass 1, DST_ANNO false, MAPPING_CAPACITY 20)",
    "UDPRewriter(pattern 192.0.2.1 1024-1040# - - 0 1, drop, STREAMING_TIMEOUT 9, MAPPING_CAPACITY 20)",
    "IPAddrRewriter(pattern 192.0.2.1-192.0.2.2# - 0 1, drop, REPLY_ANNO PAINT, MAPPING_CAPACITY 20)",
    "IPAddrPairRewriter(pattern 192.0.2.1-192.0.2.2# - 0 1, pass, MAPPING_CAPACITY 20)",
    "ICMPPingRewriter(pattern 192.0.2.1 - 1024-1040# 0 1, drop, MAPPING_CAPACITY 20)",
)


def paint(anno: str) -> str:
    return "Paint(7)" if "REPLY" in anno else ""


def run(element: str, headers: str, record: bool, packets: Packets, seed: int = 0, mix: Mix = MIX) -> None:
    """All handlers are compared, tables with the time that is left of each flow among them."""
    text = Surroundings(element, 2, 2, headers, paint(element)).text(record=record)
    with Twins(text) as both:
        for arrival in arrivals(packets, both.entries, both.titles, seed, mix):
            both.arrive(arrival)


def mix_for(element: str) -> Mix:
    return replace(MIX, transports=weights(icmp=1)) if "Ping" in element else MIX


@pytest.mark.parametrize("element", REWRITERS)
def test_random_packets(element):
    run(element, "ip-checked", True, 300, 1, mix_for(element))
    run(element, "ip", False, 100, 2, mix_for(element))


def test_an_index_without_room(monkeypatch):
    """All words want the same bucket: for most flows the kernel path has to ask the runtime, which knows them all."""
    element = "IPRewriter(pattern 192.0.2.1 1024-1040# - - 0 1, drop, CAPACITY 21)"
    rewriter = Library.standard().find("IPRewriter")
    for module in ("clickbpf_elements.tables._index", "clickbpf_elements.nat._rewriter"):
        monkeypatch.setattr(sys.modules[module], "buckets", lambda words: 1)
    assert rewriter.state_types["buckets"].entries(SimpleNamespace(numbers=1000), 1) == 1
    run(element, "ip-checked", False, conversations())


@pytest.mark.parametrize("element", [name for name in REWRITERS if "drop" in name])
def test_nothing_is_changed_before_a_packet_is_given_up(element):
    punted = assert_punts_unchanged(element, 2, 2, "ip-checked", paint(element), packets=120, mix=mix_for(element)).count
    assert punted


def conversation(number: int) -> list:
    """A TCP connection from 10.0.0.9 to 8.8.8.8:80 through 192.0.2.1, whose port is 1024 + `number`, there and back in turn."""
    there = Ether() / IP(src="10.0.0.9", dst="8.8.8.8")
    back = Ether() / IP(src="8.8.8.8", dst="192.0.2.1")
    out, come = {"sport": 4000 + number, "dport": 80}, {"sport": 80, "dport": 1024 + number}
    return [
        there / TCP(**out, flags="S"),
        back / TCP(**come, flags="SA"),
        there / TCP(**out, flags="A"),
        back / TCP(**come, flags="A"),
        there / TCP(**out, flags="PA") / b"GET /\r\n\r\n",
        back / TCP(**come, flags="PA") / bytes(1000),
        there / TCP(**out, flags="A"),
        back / TCP(**come, flags="A") / b"odd",
        *[p for pair in zip(fragment(there / TCP(**out) / bytes(200), 128), fragment(back / UDP() / bytes(200), 128)) for p in pair],
        there / TCP(**out, flags="FA"),
        back / ICMP(type=3, code=4) / IP(src="192.0.2.1", dst="8.8.8.8") / TCP(sport=1024 + number, dport=80),
        there / TCP(**out, flags="A"),
        back / TCP(**come, flags="FA"),
        there / TCP(**out, flags="A"),
        back / TCP(**come, flags="R" if number % 2 else "A"),
    ]


def conversations() -> list:
    """Packets of ten, for inputs 0 and 1 in turn, with half a second before each."""
    packets = [packet for number in range(10) for packet in conversation(number)]
    return [(f"in{number % 2}", packet, 0.5) for number, packet in enumerate(packets)]


@pytest.mark.parametrize("element", [name for name in REWRITERS if name.startswith(("IPRewriter", "TCP", "UDP"))][:2])
def test_connections(element):
    run(element, "ip-checked", False, conversations())
