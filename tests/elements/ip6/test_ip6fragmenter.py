"""IP6Fragmenter: RFC 8200, 4.5 and 5."""

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import (
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
    PadN,
    defragment6,
)

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6
from clickbpf.testing.reach import Reach

NATIVE = pytest.mark.executors("native")
SIX = IPv6(src="2001:db8::1", dst="2001:db8::2", fl=5, tc=9, hlim=7)
DATA = bytes(range(256)) * 8
HOPS, OPTIONS = IPv6ExtHdrHopByHop(options=PadN(optdata=bytes(4))), IPv6ExtHdrDestOpt(options=PadN(optdata=bytes(4)))
ROUTING = IPv6ExtHdrRouting(addresses=["2001:db8::9"], segleft=1)
#: Headers, and how many bytes of them are in each fragment.
CHAINS = {
    "none": (SIX, 40),
    "hops": (SIX / HOPS, 48),
    "options": (SIX / OPTIONS, 40),
    "hops, options": (SIX / HOPS / OPTIONS, 48),
    "options, routing, options": (SIX / OPTIONS / ROUTING / OPTIONS, 72),
}


def udp(length: int) -> UDP:
    """A datagram of so many bytes, whose checksum scapy leaves alone."""
    return UDP(sport=1, dport=2, chksum=77) / DATA[: length - 8]


def test_what_fits_passes_and_the_rest_is_too_long(element):
    x = element("IP6Fragmenter(100)", noutputs=2, headers="ip6")
    for length, output in ((8, 0), (60, 0), (61, 1), (1000, 1)):
        x.send(SIX / udp(length))
        assert x.expect(output, SIX / udp(length)).carried.network == 0
    assert (x.read("drops"), x.read("fragments")) == ("2", "0")


@NATIVE
@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("mtu", [100, 576, 1280])
def test_fragments_make_up_the_packet(element, chain, mtu):
    headers, shared = CHAINS[chain]
    whole = bytes(headers / udp(1500))
    x = element(f"IP6Fragmenter({mtu}, SPLIT true)", noutputs=2, headers="ip6-checked", before="Paint(7)")
    x.send(whole)
    seen = [x.expect(0, PAINT=7) for _ in range(int(x.read("fragments")))]
    x.expect_nothing()
    room, rest = (mtu - shared - 8) // 8 * 8, len(whole) - shared
    assert [len(s.data) - shared - 8 for s in seen] == [room] * (rest // room) + [rest % room] * (rest % room > 0)
    assert len({IPv6(s.data)[IPv6ExtHdrFragment].id for s in seen}) == 1
    for s in seen:
        assert len(s.data) == 40 + IPv6(s.data).plen and (s.carried.network, s.carried.transport) == (0, shared + 8)
    assert bytes(defragment6([IPv6(s.data) for s in seen])) == whole


@NATIVE
def test_identifications_differ(element):
    x = element("IP6Fragmenter(1280, SPLIT true)", headers="ip6-checked")
    numbers = set()
    for _ in range(20):
        x.send(SIX / udp(1500))
        numbers |= {x.expect(0).packet[IPv6ExtHdrFragment].id for _ in range(2)}
    assert len(numbers) == 20


NINE = (OPTIONS / OPTIONS / OPTIONS) / (OPTIONS / OPTIONS / OPTIONS) / (OPTIONS / OPTIONS / OPTIONS)


@NATIVE
@pytest.mark.parametrize(
    "mtu, packet",
    [
        (100, SIX / IPv6ExtHdrFragment(m=1, id=5) / udp(200)),
        (100, SIX / NINE / udp(200)),
        (55, SIX / udp(200)),
        (63, SIX / HOPS / udp(200)),
        (100, bytes(IPv6(src="2001:db8::1", dst="2001:db8::2", nh=60)) + b"\x11\xff" + bytes(200)),
    ],
)
def test_what_can_t_be_split(element, mtu, packet):
    packet = bytearray(bytes(packet))
    packet[4:6] = (len(packet) - 40).to_bytes(2, "big")
    x = element(f"IP6Fragmenter({mtu}, SPLIT true)", noutputs=2, headers="ip6")
    x.passes(bytes(packet), output=1)
    assert (x.read("drops"), x.read("fragments")) == ("1", "0")


CASES = [Case("IP6Fragmenter(90)", noutputs=2, headers="ip6", mix=IPV6)]
PUNTS = [Reach("IP6Fragmenter(90, SPLIT true)", noutputs=2, headers="ip6", mix=IPV6)]
