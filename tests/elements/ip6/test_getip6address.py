"""GetIP6Address: 16 bytes of the packet as its annotation."""

from ipaddress import IPv6Address

import pytest

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6


@pytest.mark.parametrize("offset, address", [(8, "2001:db8::2"), (24, "2001:db8:1::2")])
def test_an_address_of_the_header(element, packet, offset, address):
    get = element(f"GetIP6Address({offset})", headers="ip6")
    get.send(packet())
    assert get.expect(0, packet()).carried.annotations[:16] == IPv6Address(address).packed


def test_a_packet_that_is_too_short_has_none(element):
    get = element("GetIP6Address(24)", before="SetIP6Address(::5)")
    get.send(b"\xff" * 39)
    assert get.expect(0).carried.annotations[:16] == bytes(16)
    get.send(b"\xff" * 40)
    assert get.expect(0).carried.annotations[:16] == b"\xff" * 16


CASES = [Case("GetIP6Address(38)", mix=IPV6)]
