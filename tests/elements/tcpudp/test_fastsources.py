"""FastUDPSource, FastUDPSourceIP6, FastUDPFlows, FastTCPFlows: sound packets (scapy computes checksums anew), and how many of them."""

import subprocess
import sys
from collections import Counter

import pytest
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether

ADDRESSES = "2:2:2:2:2:2, 1.0.0.1, {} 3:3:3:3:3:3, 2.0.0.2"
UDP_SOURCE = "FastUDPSource({rate}, {limit}, {length}, " + ADDRESSES.format("1234,") + ", 53, {more} ACTIVE false)"
UDP_FLOWS = "FastUDPFlows({rate}, {limit}, {length}, " + ADDRESSES.format("") + ", 5, 4, {more} ACTIVE false)"
TCP_FLOWS = "FastTCPFlows({rate}, {limit}, {length}, " + ADDRESSES.format("") + ", 5, 4, {more} ACTIVE false)"
UDP6_ADDRESSES = "2:2:2:2:2:2, 2001:db8::1, 1234, 3:3:3:3:3:3, 2001:db8:1::2, 53"
UDP6_SOURCE = "FastUDPSourceIP6({rate}, {limit}, {length}, " + UDP6_ADDRESSES + ", {more} ACTIVE false)"
ALL = (UDP_SOURCE, UDP_FLOWS, TCP_FLOWS)
HEADER = Ether(src="02:02:02:02:02:02", dst="03:03:03:03:03:03") / IP(src="1.0.0.1", dst="2.0.0.2", ttl=250, id=0)

pytestmark = pytest.mark.executors("native")


@pytest.fixture
def source(router):
    """The packets of a source, as soon as it is active, in simulated time."""

    def make(form: str, rate=0, limit=20, length=80, more="", seconds=0.0):
        text = form.format(rate=rate, limit=limit, length=length, more=more)
        r = router(f"x :: {text} -> ToDevice(out0);", simtime=True)
        r.write("x.active", "true")
        r.advance(seconds)
        return r

    return make


def packets(r) -> list[Ether]:
    found = []
    while int(r.read("x.count")) > len(found):
        found.append(r.expect("out0"))
    r.expect_nothing()
    return found


def sound(packet: Ether) -> bytes:
    """The packet with lengths and checksums as scapy makes them."""
    again = packet.copy()
    for layer in (IP, UDP, TCP):
        if layer in again:
            again[layer].chksum = None
    return bytes(again)


@pytest.mark.parametrize("form", ALL)
@pytest.mark.parametrize("length, actual", [(10, 60), (60, 60), (1501, 1501)])
def test_packets_are_sound(source, form, length, actual):
    for packet in packets(source(form, length=length)):
        assert len(packet) == actual
        assert bytes(packet) == sound(packet)
        assert bytes(packet)[:12] == bytes(HEADER)[:12]
        assert (packet[IP].ttl, packet[IP].src, packet[IP].dst) == (250, "1.0.0.1", "2.0.0.2")
        assert packet[IP].len == actual - 14


@pytest.mark.parametrize("length, actual", [(10, 62), (62, 62), (1501, 1501)])
def test_packets_for_ipv6_are_sound(source, length, actual):
    for packet in packets(source(UDP6_SOURCE, length=length)):
        assert bytes(packet) == sound(packet)
        assert (len(packet), packet[IPv6].plen, packet[UDP].len) == (actual, actual - 54, actual - 54)


def test_the_frame_is_clicks(source):
    """The frame of Click's FastUDPSourceIP6 with the same arguments."""
    header = "030303030303020202020202 86dd 60000000 001a 11 fa 20010db8000000000000000000000001 20010db8000100000000000000000002"
    (packet,) = packets(source(UDP6_SOURCE, limit=1, more="CHECKSUM false,"))
    assert bytes(packet) == bytes.fromhex(header + "04d2 0035 001a 0000") + bytes(18)


@pytest.mark.parametrize("form", [UDP_SOURCE, UDP6_SOURCE])
def test_ports_go_up_after_an_interval(source, form):
    ports = [(p[UDP].sport, p[UDP].dport) for p in packets(source(form, limit=5, more="INTERVAL 2,"))]
    assert ports == [(1234, 53), (1234, 53), (1235, 54), (1235, 54), (1236, 55)]


@pytest.mark.parametrize("form", [UDP_SOURCE, UDP_FLOWS, UDP6_SOURCE])
def test_without_checksum(source, form):
    assert all(p[UDP].chksum == 0 for p in packets(source(form, more="CHECKSUM false,")))


def test_udp_flows_have_a_size(source):
    """Never more than five at a time, four packets each: a thousand packets need 250 flows."""
    flows = Counter((p[UDP].sport, p[UDP].dport) for p in packets(source(UDP_FLOWS, limit=1000)))
    assert max(flows.values()) <= 4
    assert 250 <= len(flows) <= 256


def test_tcp_flows_begin_and_end(source):
    flows: dict = {}
    found = packets(source(TCP_FLOWS, limit=1000))
    for p in found:
        flows.setdefault((p[TCP].sport, p[TCP].dport), []).append((str(p[TCP].flags), p[TCP].seq, p[TCP].ack))
    for flow in flows.values():
        flags = [each[0] for each in flow]
        assert flags in (["S", "PA", "PA", "F"], ["S", "PA", "F"], ["S", "F"])
        assert len({each[1:] for each in flow}) == 1
    assert 1000 <= len(found) <= 1005


@pytest.mark.parametrize("form", [*ALL, UDP6_SOURCE])
def test_rate_and_limit(source, form):
    r = source(form, rate=100, limit=50, seconds=0.2)
    assert 20 <= int(r.read("x.count")) <= 22
    assert r.read("x.rate") == "0"
    r.advance(1)
    assert 50 <= int(r.read("x.count")) <= 55
    assert int(r.read("x.rate")) == pytest.approx(100, rel=0.1)
    r.write("x.rate", "1000")
    r.write("x.limit", "-1")
    r.write("x.reset")
    r.advance(1)
    assert int(r.read("x.count")) == pytest.approx(1000, rel=0.01)
    assert r.read("x.rate") == "0"


def test_length_can_be_changed(source):
    r = source(UDP_FLOWS, limit=1)
    r.write("x.length", "333")
    assert r.read("x.length") == "333"
    r.write("x.limit", "2")
    r.expect("out0")
    (packet,) = (r.expect("out0"),)
    assert len(packet) == 333
    assert bytes(packet) == sound(packet)


@pytest.mark.parametrize("rate, seconds, least, most", [(0, 0.0, 20, 20), (10, 1.0, 10, 12)])
def test_flows_can_be_pushed(router, rate, seconds, least, most):
    r = router(f"x :: {UDP_FLOWS.format(rate=rate, limit=20, length=80, more='')} -> Queue -> ToDevice(out0);", simtime=True)
    r.write("x.active", "true")
    r.advance(seconds)
    assert least <= len(packets(r)) <= most


@pytest.mark.parametrize("way", ["-> Discard", "-> Unqueue -> Discard"], ids=["push", "pull"])
def test_the_driver_can_be_stopped_after_the_last_packet(way):
    text = f"x :: {UDP_FLOWS.format(rate=0, limit=20, length=80, more='STOP true,').replace('ACTIVE false', 'SEQUENTIAL true')} {way}"
    command = [sys.executable, "-m", "clickbpf.cli.main", "run", "-e", text, "-h", "x.count"]
    assert subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout.split() == ["20"]
