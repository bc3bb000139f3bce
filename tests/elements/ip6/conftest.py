"""Fixtures of this family."""

import pytest
from scapy.layers.inet6 import IPv6ExtHdrDestOpt, IPv6ExtHdrFragment, IPv6ExtHdrHopByHop, IPv6ExtHdrRouting

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
