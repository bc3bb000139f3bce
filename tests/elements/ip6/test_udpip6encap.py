"""UDPIP6Encap: headers and a checksum that is always there (RFC 8200, 8.1)."""

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach

SRC, DST = "2001:2001:2001:2001::1", "2001:2001:2001:2001::2"


@pytest.mark.parametrize("length", [0, 1, 2, 3, 64, 511, 512, 1025, 1400])
def test_headers_and_checksum(element, length):
    data = bytes(byte % 251 for byte in range(length))
    encap = element(f"UDPIP6Encap({SRC}, 1234, {DST}, dns)")
    seen = encap.gives(data, IPv6(src=SRC, dst=DST, hlim=255) / UDP(sport=1234, dport=53) / data)
    assert (seen.carried.network, seen.carried.transport) == (0, 40)


def test_no_checksum_is_zero(element):
    """The payload that makes the sum all ones: what scapy computes without it."""
    encap = element(f"UDPIP6Encap({SRC}, 1, {DST}, 2)")
    rest = IPv6(bytes(IPv6(src=SRC, dst=DST) / UDP(sport=1, dport=2) / bytes(2)))[UDP].chksum
    encap.send(rest.to_bytes(2, "big"))
    assert encap.expect(0).data[46:48] == b"\xff\xff"


CASES = [Case(f"UDPIP6Encap({SRC}, 1234, {DST}, 1234)")]
PUNTS = [Reach("UDPIP6Encap(2001:db8::1, 1234, 2001:db8::2, 1234)", before=FULL)]
