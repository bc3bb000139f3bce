"""MarkIP6Header: annotations, whatever is there."""

from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrFragment
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6
from clickbpf.testing.reach import Reach

LINK = bytes(12) + b"\x86\xdd"


def test_the_transport_header_is_behind_the_extension_headers(element, chain):
    put, length = chain
    mark = element("MarkIP6Header(14)")
    mark.send(LINK + bytes(put(IPv6(), UDP() / b"data")))
    carried = mark.expect(0).carried
    assert (carried.network, carried.transport) == (14, 54 + length)


TRIALS = {
    "what is behind the header of a later fragment is no chain": Trial("MarkIP6Header(14)")
        .gives(LINK + bytes(IPv6() / IPv6ExtHdrFragment(nh=60, offset=7) / bytes(40)), transport=14 + 48),
    "before the data": Trial("MarkIP6Header(-40)", before="Strip(54)").gives(LINK + bytes(IPv6() / UDP()), network=-40, transport=0),
}

CASES = [Case(f"MarkIP6Header({offset})", mix=IPV6) for offset in [0, 14, 15]]
PUNTS = [Reach("MarkIP6Header(-4)")]
