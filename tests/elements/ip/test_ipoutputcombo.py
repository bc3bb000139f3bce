"""IPOutputCombo: the same as DropBroadcasts, PaintTee, IPGWOptions, FixIPSrc, DecIPTTL and CheckLength."""

import pytest
from scapy.layers.inet import IP, UDP, IPOption_NOP, IPOption_RR

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.punt import assert_punts_unchanged
from clickbpf.testing.reach import Reach

COMBO = "IPOutputCombo(2, 10.0.9.1, 100)"


def packet(**fields) -> IP:
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", "ttl": 64, **fields}) / UDP() / b"data"


@pytest.fixture
def combo(element):
    return lambda before="": element(COMBO, noutputs=5, headers="ip-checked", before=before)


def test_a_packet_in_order(combo):
    x = combo()
    x.send(packet())
    x.expect(0, packet(ttl=63))
    x.expect_nothing()


@pytest.mark.parametrize("kind", ["BROADCAST", "MULTICAST"])
def test_broadcasts_are_dropped(combo, kind):
    x = combo(f"Paint(2) -> SetPacketType({kind})")
    x.send(packet())
    x.expect_nothing()
    assert x.dropped("FILTERED") == 1


def test_a_packet_back_where_it_came_from(combo):
    x = combo("Paint(2)")
    x.send(packet())
    x.expect(1, packet(), PAINT=2)
    x.expect(0, packet(ttl=63), PAINT=2)


@pytest.mark.parametrize("ttl", [0, 1])
def test_a_packet_whose_time_is_up(combo, ttl):
    x = combo()
    x.send(packet(ttl=ttl))
    x.expect(3, packet(ttl=ttl))


def test_the_longest_packet_and_a_longer_one(combo):
    x = combo()
    for length, output in ((72, 0), (73, 4)):
        x.send(IP(ttl=9) / UDP() / bytes(length))
        x.expect(output, IP(ttl=8) / UDP() / bytes(length))


def test_record_route(combo):
    x = combo()
    empty, filled = ([IPOption_RR(length=7, pointer=pointer, routers=[router])] for pointer, router in ((4, "0.0.0.0"), (8, "10.0.9.1")))
    x.send(packet(options=empty))
    x.expect(0, packet(options=filled, ttl=63))


def test_a_malformed_option(combo):
    x = combo()
    wrong = bytes(packet(options=[IPOption_NOP(), IPOption_RR(length=7, pointer=2, routers=["0.0.0.0"])]))
    x.send(wrong)
    x.expect(2, wrong, ICMP_PARAMPROB=23)


def test_a_source_of_its_own(element):
    """ICMPError sets the annotation that asks for it."""
    x = element(COMBO, noutputs=5, headers="ip-checked", before="ICMPError(10.0.0.1, unreachable, host)")
    x.send(packet())
    error = x.expect(0, FIX_IP_SRC=0)
    header = IP(error.data)
    assert (header.src, header.ttl) == ("10.0.9.1", 199)
    again = header.copy()
    del again.chksum
    assert IP(bytes(again)).chksum == header.chksum


CASES = [Case(COMBO, noutputs=5, headers="ip", mix=Mix(options=15, large=10))]


@pytest.mark.executors("bpf")
def test_handovers(executor):
    plain = Mix(options=0, wrong=0, damaged=0, links=weights(ethernet=1), contents=weights(ipv4=1))
    assert assert_punts_unchanged(COMBO, noutputs=5, headers="ip", packets=300, mix=plain).count == 0
    assert assert_punts_unchanged(COMBO, noutputs=5, headers="ip", before="Paint(2)", packets=300).count > 100


#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [Reach(COMBO, noutputs=5, headers="ip", before="Paint(2)")]
