"""IP6Encap: a header of its own (RFC 8200, 3; RFC 2473)."""

from ipaddress import IPv6Address

import pytest
from scapy.layers.inet6 import IPv6

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach

SRC, DST = "2000:10:1::2", "2000:20:1::2"


@pytest.mark.parametrize(
    "more, fields",
    [("", {"hlim": 250}), (", HLIM 20", {"hlim": 20}), (", HLIM 255, CLASS 0xb8", {"hlim": 255, "tc": 0xB8})],
)
def test_header(element, more, fields):
    encap = element(f"IP6Encap(ipip, {SRC}, {DST}{more})")
    for length in (0, 1, 100):
        seen = encap.gives(bytes(length), IPv6(src=SRC, dst=DST, nh=4, plen=length, **fields) / bytes(length))
        assert (seen.carried.network, seen.carried.transport) == (0, 40)
        assert seen.carried.annotations[:16] == IPv6Address(DST).packed


def test_the_annotation_as_destination(element):
    encap = element(f"IP6Encap(41, {SRC}, DST_ANNO)", before="SetIP6Address(2001:db8::5)")
    assert encap.read("dst") == "DST_ANNO"
    encap.gives(b"data", IPv6(src=SRC, dst="2001:db8::5", nh=41, hlim=250) / b"data")


CASES = [Case(f"IP6Encap(4, {SRC}, {destination})", headers="ip") for destination in [DST, "DST_ANNO"]]
PUNTS = [Reach("IP6Encap(ipip, 2001:db8::1, 2001:db8::2)", before=FULL)]
