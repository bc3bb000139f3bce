"""SetIPDSCP: the upper six bits of the TOS byte (RFC 2474), checksum included."""

import pytest
from scapy.layers.inet import IP, UDP

from clickbpf.testing.cases import Case


@pytest.mark.parametrize("tos", [0, 3, 0xFC, 0xFF])
@pytest.mark.parametrize("dscp", [0, 46, 63])
def test_the_ecn_bits_stay(element, dscp, tos):
    dscp_element = element(f"SetIPDSCP({dscp})", headers="ip-checked")
    dscp_element.gives(IP(tos=tos) / UDP(), IP(tos=dscp << 2 | tos & 3) / UDP())


CASES = [Case("SetIPDSCP(21)", headers="ip")]
