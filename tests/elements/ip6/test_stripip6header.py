"""StripIP6Header and UnstripIP6Header: there and back."""

from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6


def test_the_headers_go_and_their_annotation_stays(element, chain):
    put, length = chain
    packet = bytes(put(IPv6(src="2001:db8::2", dst="2001:db8:1::2"), UDP() / b"data"))
    strip = element("StripIP6Header", headers="ip6-checked")
    strip.send(packet)
    carried = strip.expect(0, packet[40 + length :]).carried
    assert (carried.network, carried.transport) == (-40 - length, 0)


def test_they_come_back(element, chain):
    put, _ = chain
    packet = bytes(put(IPv6(src="2001:db8::2", dst="2001:db8:1::2"), UDP() / b"data"))
    unstrip = element("UnstripIP6Header", headers="ip6-checked", before="StripIP6Header")
    unstrip.send(packet)
    assert unstrip.expect(0, packet).carried.network == 0


CASES = [
    Case(class_, headers="ip6-checked", before=before, mix=IPV6)
    for class_, before in [("StripIP6Header", ""), ("UnstripIP6Header", "StripIP6Header")]
]
