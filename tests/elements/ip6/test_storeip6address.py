"""StoreIP6Address: into the header with its checksums, or anywhere without."""

import pytest
from scapy.layers.inet import TCP, UDP
from scapy.layers.inet6 import ICMPv6EchoRequest, IPv6, IPv6ExtHdrFragment
from tests.elements.ip6.packets import packet
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6
from clickbpf.testing.reach import Reach

NEW = "fd00:1:2:3:4:5:6:7"
ONE = {"src": "2001:db8::2", "dst": "2001:db8:1::2"}


@pytest.mark.parametrize("layer", [UDP(sport=1000, dport=53), TCP(), ICMPv6EchoRequest(id=7)])
@pytest.mark.parametrize("where", ["src", "DST"])
def test_checksums_behind_extension_headers(element, chain, where, layer):
    """Scapy computes the checksums of both packets."""
    put, _ = chain
    store = element(f"StoreIP6Address({NEW}, {where})", noutputs=2, headers="ip6")
    store.gives(bytes(put(IPv6(**ONE), layer / b"data")), bytes(put(IPv6(**{**ONE, where.lower(): NEW}), layer / b"data")))


def test_an_updated_udp_checksum_is_never_zero(element):
    """RFC 8200, 8.1. With the checksum of a datagram whose source port is 0 in that place the sum is all ones."""
    store = element(f"StoreIP6Address({NEW}, src)", headers="ip6")
    port = IPv6(bytes(IPv6(**{**ONE, "src": NEW}) / UDP(sport=0, dport=53)))[UDP].chksum
    packet = IPv6(**ONE) / UDP(sport=port, dport=53)
    store.send(packet)
    assert store.expect(0).packet[UDP].chksum == 0xFFFF


def test_the_annotation(element):
    store = element("StoreIP6Address(8)", headers="ip6", before="SetIP6Address(2001:db8::77)")
    store.send(packet())
    assert store.expect(0).packet.src == "2001:db8::77"


CASES = [
    Case(f"StoreIP6Address({arguments})", noutputs=2, headers="ip6-checked", mix=IPV6)
    for arguments in [f"{NEW}, src", f"{NEW}, dst", "dst", f"{NEW}, 33"]
]


def test_mistakes(refused):
    assert "OFFSET is missing" in refused("StoreIP6Address()")
    assert "is no offset" in refused("StoreIP6Address(::1, here)")
    assert "is not an IPv6 address" in refused("StoreIP6Address(1.2.3.4, 8)")


TRIALS = {
    "the unspecified annotation changes nothing": Trial("StoreIP6Address(dst)", headers="ip6").passes(packet()),
    "later fragments": Trial(f"StoreIP6Address({NEW}, src)", headers="ip6")
        .gives(
            IPv6(**ONE) / (IPv6ExtHdrFragment(nh=17, offset=3) / b"no datagram"),
            IPv6(**{**ONE, "src": NEW}) / (IPv6ExtHdrFragment(nh=17, offset=3) / b"no datagram")
        ),
    "packets without such a place": [
        Trial(f"StoreIP6Address({NEW}, {where})", noutputs=2).passes(bytes(45), output=1)
        for where in ["src", "30"]
    ],
}

PUNTS = [Reach("StoreIP6Address(2001:db8::1, 20000)")]
