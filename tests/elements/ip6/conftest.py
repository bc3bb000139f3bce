"""IPv6 packets that the tests of the family share."""

import struct

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment, IPv6ExtHdrHopByHop, IPv6ExtHdrRouting


def chained_packet(headers: int, inner: bytes, protocol: int) -> bytes:
    """An IPv6 packet with this many destination options headers of 8 bytes in front of `inner`."""
    kinds = [60] * headers + [protocol]
    chain = b"".join(bytes([kinds[i + 1], 0, 1, 4, 0, 0, 0, 0]) for i in range(headers))
    start = struct.pack("!IHBB", 6 << 28, len(chain) + len(inner), kinds[0], 64)
    return start + IPv6(src="2001:db8::2").build()[8:24] + IPv6(dst="2001:db8:1::2").build()[24:40] + chain + inner


@pytest.fixture
def chained():
    """chained(30, inner, 17) is an IPv6 packet with 30 extension headers in front of UDP."""
    return chained_packet


#: Extension headers (RFC 8200, 4), and how many bytes they have.
CHAINS = {
    "none": (None, 0),
    "hop-by-hop": (IPv6ExtHdrHopByHop(), 8),
    "destination": (IPv6ExtHdrDestOpt(), 8),
    "routing": (IPv6ExtHdrRouting(addresses=["2001:db8:1::9"]), 24),
    "first fragment": (IPv6ExtHdrFragment(m=1), 8),
    "three": (IPv6ExtHdrHopByHop() / IPv6ExtHdrRouting(addresses=["2001:db8:1::9"]) / IPv6ExtHdrDestOpt(), 40),
}


@pytest.fixture(params=CHAINS)
def chain(request):
    """(a function that puts a chain of extension headers between an IPv6 header and what follows, the chain's bytes)."""
    extension, length = CHAINS[request.param]
    return lambda ip, rest: ip / extension / rest if extension else ip / rest, length


@pytest.fixture
def packet():
    """packet(hlim=3) is a UDP packet."""
    return lambda payload=b"data", **fields: IPv6(**{"src": "2001:db8::2", "dst": "2001:db8:1::2", **fields}) / UDP() / payload
