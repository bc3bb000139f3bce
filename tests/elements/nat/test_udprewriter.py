"""UDPRewriter: flows of any protocol with ports."""

import pytest
from scapy.layers.inet import IP
from tests.elements.nat.packets import PEER, left, tcp, udp


def test_protocols_share_flows(element):
    x = element("UDPRewriter(pattern 1.0.0.1 1024-65535# - - 0 1, drop)", 2, 2, headers="ip-checked")
    x.gives(udp("10.0.0.9", 30, PEER, 80), udp("1.0.0.1", 1024, PEER, 80))
    x.gives(tcp("10.0.0.9", 30, PEER, 80), tcp("1.0.0.1", 1024, PEER, 80))
    # DCCP (RFC 4340) has its ports in the same place; its checksum is not known.
    dccp = IP(src="10.0.0.9", dst=PEER, proto=33) / bytes.fromhex("001e0050") / bytes(12)
    x.gives(dccp, IP(src="1.0.0.1", dst=PEER, proto=33) / bytes.fromhex("04000050") / bytes(12))
    assert x.read("table_size") == "1"


@pytest.mark.executors("native")
def test_how_long_flows_stay(element):
    x = element("UDPRewriter(keep 0 1, drop, TIMEOUT 20, STREAMING_TIMEOUT 40)", 2, 2, headers="ip-checked", simtime=True)
    for packet, seconds in (
        (tcp("10.0.0.9", 30), 20),
        (tcp(PEER, 80, "10.0.0.9", 30), 20),
        (tcp("10.0.0.9", 30, flags="F"), 40),
    ):
        x.send(packet)
        assert left(x.read("table")) == [seconds]


@pytest.mark.executors("native")
def test_without_a_guarantee_the_new_flow_is_refused_if_it_ends_first(element):
    x = element("UDPRewriter(keep 0 0, CAPACITY 1, TIMEOUT 20, STREAMING_TIMEOUT 40, GUARANTEE 0)", headers="ip-checked", simtime=True)
    for packet in (udp("10.0.0.1", 1), udp(PEER, 53, "10.0.0.1", 1), udp("10.0.0.1", 1)):
        x.send(packet)
    x.send(udp("10.0.0.2", 2))
    assert ("10.0.0.1" in x.read("table"), x.read("mapping_failures")) == (True, "1")
    x.router.advance(21)
    x.send(udp("10.0.0.2", 2))
    assert ("10.0.0.2" in x.read("table"), x.read("size")) == (True, "1")
