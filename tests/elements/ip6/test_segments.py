"""IP6SREncap and IP6SRDecap: segment routing headers (RFC 8754)."""

import struct
from ipaddress import IPv6Address
from random import Random

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrHopByHop, IPv6ExtHdrSegmentRouting
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6
from clickbpf.testing.reach import FULL, Reach

SRC, DST, ONE, TWO = "2001:db8::1", "2001:db8::2", "2001:db8:1::1", "2001:db8:2::1"
ENCAP = f"IP6SREncap({TWO}, {ONE})"
#: UDP, with the checksum of the last destination.
DATA = bytes(IPv6(src=SRC, dst=DST) / UDP(sport=5, dport=6) / bytes(30))[40:]


def ip(dst: str, *headers) -> IPv6:
    """A packet with these headers."""
    made = IPv6(src=SRC, dst=dst, hlim=9, tc=1, fl=2)
    for header in headers:
        made /= header
    made.lastlayer().nh = 17
    return made / DATA


def srh(left: int, *addresses: str, next: int = 17, **fields) -> bytes:
    """RFC 8754, 2, by hand."""
    head = {"length": 2 * len(addresses), "type": 4, "last": len(addresses) - 1} | fields
    packed = b"".join(IPv6Address(address).packed for address in addresses)
    return struct.pack("!BBBBBBH", next, head["length"], head["type"], left, head["last"], 0, 0) + packed


def with_srh(dst: str, header: bytes, *before) -> bytes:
    """The packet with a header that is put together by hand."""
    made = IPv6(src=SRC, dst=dst, hlim=9, tc=1, fl=2)
    for each in before:
        made /= each
    made.lastlayer().nh = 43
    return bytes(made / (header + DATA))


def destination(carried) -> IPv6Address:
    return IPv6Address(carried.annotations[:16])


def test_the_way_to_the_destination(element):
    """The packet that Linux and RFC 8754, A.4 would send: segments in reverse order, the first one as the destination."""
    x = element(ENCAP, before="MarkIP6Header(0)")
    x.send(ip(DST))
    carried = x.expect(0, with_srh(ONE, srh(2, DST, TWO, ONE))).carried
    assert (carried.network, carried.transport, destination(carried)) == (0, 40 + 56, IPv6Address(ONE))
    assert IPv6(with_srh(ONE, srh(2, DST, TWO, ONE)))[IPv6ExtHdrSegmentRouting].addresses == [DST, TWO, ONE]


@pytest.mark.parametrize("before", [(), (IPv6ExtHdrHopByHop(), IPv6ExtHdrDestOpt())])
def test_from_segment_to_segment(element, before):
    x = element("IP6SRDecap")
    x.send(with_srh(ONE, srh(2, DST, TWO, ONE), *before))
    assert destination(x.expect(0, with_srh(TWO, srh(1, DST, TWO, ONE), *before)).carried) == IPv6Address(TWO)
    x.gives(with_srh(TWO, srh(1, DST, TWO, ONE), *before), with_srh(DST, srh(0, DST, TWO, ONE), *before))
    x.gives(with_srh(DST, srh(0, DST, TWO, ONE), *before), ip(DST, *before))


def test_headers_that_contradict_themselves(element):
    x = element("IP6SRDecap")
    none, long = srh(0, length=0, last=0), srh(1, DST, length=60, last=20)
    for header in (srh(3, DST, TWO), srh(1, DST, last=1), srh(0, DST, length=60), none, long):
        x.drops(with_srh(ONE, header))
    assert x.dropped("MALFORMED") == 5


def routed(count: int = 300) -> list[bytes]:
    """Packets with all kinds of segment routing headers, right and wrong ones."""
    random = Random(4)
    made = []
    for _ in range(count):
        addresses = [random.choice((ONE, TWO, DST)) for _ in range(random.randrange(1, 5))]
        wrong = {"length": random.randrange(12), "last": random.randrange(6)} if random.randrange(4) == 0 else {}
        made.append(with_srh(random.choice((ONE, DST)), srh(random.randrange(6), *addresses, **wrong))[: random.randrange(40, 200)])
    return made


ROUTED = routed()

TRIALS = {
    "without the destination": Trial(f"IP6SREncap(ADDR {TWO}, ADDR {ONE}, ENCAP_DST false)")
        .gives(ip(DST), with_srh(ONE, srh(1, TWO, ONE))),
    "a hop by hop header stays in front": Trial(ENCAP)
        .gives(ip(DST, IPv6ExtHdrHopByHop()), with_srh(ONE, srh(2, DST, TWO, ONE), IPv6ExtHdrHopByHop())),
    "the end at once": Trial("IP6SRDecap(FORCE_DECAP true)").gives(with_srh(ONE, srh(2, DST, TWO, ONE)), ip(DST)),
    # RFC 8754, 4.1.1: the reduced header.
    "a first segment that is not in the list": Trial("IP6SRDecap").gives(with_srh(ONE, srh(2, DST, TWO)), with_srh(TWO, srh(1, DST, TWO))),
    "other packets pass": Trial("IP6SRDecap").passes(bytes(ip(DST)), with_srh(ONE, srh(1, DST, type=0)), b"\x45" + bytes(59)),
}

CASES = [
    Case(ENCAP, headers="ip6-checked", mix=IPV6),
    Case("IP6SRDecap", packets=ROUTED),
    Case("IP6SRDecap(FORCE_DECAP true)", packets=ROUTED),
]
#: What the kernel path gives up, beside what the manual page's example does; addresses before the frame that begin as IPv6 does.
PUNTS = [Reach(ENCAP, before=FULL.replace("2:0:0:0:0:2", "60:0:0:0:0:2"))]
MISTAKES = {"IP6SREncap(ENCAP_DST false)": "no segments", f"IP6SREncap({', '.join([ONE] * 127)})": "127"}
