"""SetIPDSCP: the upper six bits of the TOS byte (RFC 2474), checksum included."""

import pytest
from scapy.layers.inet import IP, UDP

from clickbpf.errors import ClickError
from clickbpf.testing.cases import Case


@pytest.mark.parametrize("tos", [0, 3, 0xFC, 0xFF])
@pytest.mark.parametrize("dscp", [0, 46, 63])
def test_the_ecn_bits_stay(element, dscp, tos):
    dscp_element = element(f"SetIPDSCP({dscp})", headers="ip-checked")
    dscp_element.send(IP(tos=tos) / UDP())
    dscp_element.expect(0, IP(tos=dscp << 2 | tos & 3) / UDP())


def test_it_can_change(element):
    x = element("SetIPDSCP(0x2e)", headers="ip-checked")
    assert x.read("dscp") == "46"
    x.write("dscp", "10")
    x.send(IP() / UDP())
    x.expect(0, IP(tos=40) / UDP())
    with pytest.raises(ClickError):
        x.write("dscp", "64")
    assert x.read("dscp") == "10"


def test_a_packet_without_a_header_is_dropped(element):
    x = element("SetIPDSCP(1)")
    x.send(bytes(60))
    x.expect_nothing()
    assert x.dropped("UNMARKED") == 1


CASES = [Case("SetIPDSCP(21)", headers="ip")]
