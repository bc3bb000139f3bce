"""IP6Reassembler: packets made of fragments in any order, and what is no fragment of anything (RFC 8200, 4.5; RFC 5722; RFC 6946)."""

import itertools

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import ICMPv6TimeExceeded, IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment, IPv6ExtHdrHopByHop

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.packets import IPV6
from clickbpf.testing.reach import Reach

SRC, DST = "2001:db8::2", "2001:db8:1::2"
HEADERS = {
    "none": IPv6(src=SRC, dst=DST, hlim=9),
    "hop-by-hop": IPv6(src=SRC, dst=DST, hlim=9) / IPv6ExtHdrHopByHop(),
    "two": IPv6(src=SRC, dst=DST, hlim=9) / IPv6ExtHdrHopByHop() / IPv6ExtHdrDestOpt(),
}
#: A UDP datagram, which is what is divided.
WHOLE = bytes(HEADERS["none"] / UDP(sport=1, dport=2) / bytes(range(200)) / bytes(300))[40:]


def fragment(start, end, more, ident=7, headers="none", data=WHOLE, **fields):
    return HEADERS[headers] / IPv6ExtHdrFragment(offset=start // 8, m=more, id=ident, nh=17, **fields) / data[start:end]


def fragments(*cuts, **more):
    edges = [0, *cuts, len(WHOLE)]
    return [fragment(start, end, end < len(WHOLE), **more) for start, end in itertools.pairwise(edges)]


@pytest.fixture
def whole(element):
    return lambda arguments="": element(f"IP6Reassembler({arguments})", noutputs=2, headers="ip6-checked", simtime=True)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_any_order(whole, order):
    x = whole()
    pieces = fragments(8, 200, 400)
    for number in order[:-1]:
        x.drops(pieces[number])
    assert x.read("waiting") == "1"
    seen = x.gives(pieces[order[-1]], bytes(HEADERS["none"] / UDP(sport=1, dport=2) / bytes(range(200)) / bytes(300)))
    assert (seen.carried.network, seen.carried.transport) == (0, 40)
    assert [x.read(name) for name in ("seen", "good", "failed", "bad", "waiting")] == ["4", "1", "0", "0", "0"]


@pytest.mark.parametrize("headers", HEADERS)
def test_headers_before_the_fragment_header_stay(whole, headers):
    x = whole()
    for piece in fragments(256, headers=headers):
        x.send(piece)
    before = bytearray(bytes(HEADERS[headers] / UDP()))[:-8]
    before[4:6] = (len(before) - 40 + len(WHOLE)).to_bytes(2, "big")
    seen = x.expect(0, bytes(before) + WHOLE)
    assert seen.carried.transport == len(before)


def test_what_is_in_front_of_the_header_moves_along(element):
    x = element("IP6Reassembler", noutputs=2, headers="ip6-in-ethernet")
    link = bytes(12) + b"\x86\xdd"
    for piece in fragments(64):
        x.send(link + bytes(piece))
    seen = x.expect(0, link + bytes(HEADERS["none"] / UDP(sport=1, dport=2) / bytes(range(200)) / bytes(300)))
    assert (seen.carried.network, seen.carried.transport) == (14, 54)


def test_packets_are_told_apart(whole):
    """By identification and addresses."""
    x = whole()
    for piece in zip(*(fragments(64, ident=ident) for ident in range(50))):
        for packet in piece:
            x.send(packet)
    for _ in range(50):
        x.expect(0)
    first, second = fragments(64)
    second.src = "2001:db8::3"
    x.drops(first, second)
    assert x.read("waiting") == "2"


@pytest.mark.parametrize("length, fits", [(65527, True), (65528, False), (65535, False)])
def test_nothing_is_longer_than_a_header_can_say(whole, length, fits):
    """RFC 8200, 4.5: the headers of the first fragment count, though each fragment by itself, with fewer headers, would do."""
    x = whole()
    data = bytes(length)
    for start, end in ((0, 32000), (32000, 64000), (64000, length)):
        x.send(fragment(start, end, end < length, data=data, headers="none" if start else "hop-by-hop"))
    if fits:
        assert int.from_bytes(x.expect(0).data[4:6], "big") == 65535
    x.expect_nothing()
    assert (x.read("good"), x.read("failed"), x.read("waiting")) == (("1", "0", "0") if fits else ("0", "1", "0"))


def test_what_is_no_fragment_passes(whole):
    x = whole()
    packet = HEADERS["two"] / UDP() / b"data"
    x.passes(packet)
    assert x.read("seen") == "0"


def test_a_fragment_of_its_own_passes_whatever_waits(whole):
    """RFC 6946, 4."""
    x = whole()
    x.send(fragment(0, 64, True))
    x.send(fragment(0, len(WHOLE), False))
    x.expect(0, HEADERS["none"] / UDP(sport=1, dport=2) / bytes(range(200)) / bytes(300))
    assert x.read("waiting") == "1"


def test_one_that_came_before_is_ignored(whole):
    x = whole()
    first, second = fragments(64)
    for piece in (first, first, second):
        x.send(piece)
    x.expect(0)
    assert x.dropped("DISCARDED") == 1


@pytest.mark.parametrize(
    "pieces",
    [
        [(0, 64, True), (56, 128, True)],
        [(64, 128, True), (0, 72, True)],
        [(0, 128, True), (64, 128, True)],
        [(64, 128, True), (0, 256, True)],
        [(0, 64, True), (128, 256, False), (256, 264, True)],  # beyond the end
        [(0, 64, True), (256, 264, True), (128, 256, False)],  # an end before what is there
        [(64, 128, False), (128, 256, False)],  # two ends
    ],
)
def test_what_contradicts_itself_is_dropped_whole(whole, pieces):
    """RFC 5722, 4: all fragments that have come, and silently."""
    x = whole()
    for piece in pieces:
        x.send(fragment(*piece))
    assert (x.read("failed"), x.read("waiting")) == ("1", "0")
    assert x.dropped() == len(pieces)
    x.router.advance(100)
    x.expect_nothing()


@pytest.mark.parametrize(
    "packet",
    [
        fragment(0, 63, True),
        fragment(64, 64, True),
        fragment(0, 0, True),
        bytes(fragment(0, 64, True))[:-1],
        HEADERS["none"] / IPv6ExtHdrFragment(offset=8191, m=0, id=7, nh=17) / bytes(16),
        HEADERS["none"] / IPv6ExtHdrFragment(offset=0, m=1, id=7, nh=60) / (b"\x3c\x02" + bytes(6)),
        HEADERS["none"] / IPv6ExtHdrFragment(offset=0, m=1, id=7, nh=44) / bytes(16),
    ],
)
def test_what_is_no_fragment_as_it_has_to_be(element, packet):
    """Whoever marked the header may not have looked at the length."""
    x = element("IP6Reassembler", headers="ip6")
    x.drops(packet)
    assert (x.read("bad"), x.read("waiting"), x.dropped("MALFORMED")) == ("1", "0", 1)


def test_after_a_minute_the_beginning_is_for_an_error(whole):
    """RFC 8200, 4.5: 60 seconds after the fragment that came first, whichever that is."""
    x = whole()
    x.send(fragment(128, 256, True))
    x.router.advance(40)
    x.send(fragment(0, 64, True))
    x.send(fragment(0, 64, True, ident=9))
    x.send(fragment(64, 128, True, ident=11))
    assert collected(x, 19.5) == []
    assert collected(x, 1) == [bytes(fragment(0, 64, True))]
    assert collected(x, 38) == []
    assert collected(x, 2) == [bytes(fragment(0, 64, True, ident=9))]
    assert (x.read("failed"), x.dropped("EXPIRED")) == ("3", 2)


def collected(x, seconds):
    """Packets that leave meanwhile, without what the recorder wrote before them."""
    return [output.data[-len(bytes(fragment(0, 64, True))) :] for output in x.router.advance(seconds)]


def test_the_error(router):
    r = router(
        "FromDevice(in) -> Strip(14) -> CheckIP6Header -> x :: IP6Reassembler -> Queue -> ToDevice(out);"
        "x[1] -> ICMP6Error(2001:db8::1, timeexceeded, 1) -> Queue -> ToDevice(errors);",
        simtime=True,
    )
    r.send("in", bytes(12) + b"\x86\xdd" + bytes(fragment(0, 64, True)))
    r.advance(61)
    r.expect("errors", IPv6(src="2001:db8::1", dst=SRC, hlim=255) / ICMPv6TimeExceeded(code=1) / fragment(0, 64, True))


def test_memory_is_bounded(whole):
    """HIMEM is 128 kB: of fragments of 112 bytes, which cost 368, at most 356 wait, the latest."""
    x = whole("HIMEM 131072")
    for ident in range(1000):
        x.send(fragment(0, 64, True, ident=ident))
    assert x.read("waiting") == str(131072 // (112 + 256))
    for ident in (0, 999):
        x.send(fragment(64, len(WHOLE), False, ident=ident))
    x.expect(0)
    x.expect_nothing()


def test_one_packet_of_many_small_pieces_is_bounded_too(whole):
    x = whole("HIMEM 131072")
    data = bytes(8192)
    for start in range(8, 8192, 16):
        x.send(fragment(start, start + 8, True, data=data))
    assert int(x.read("failed")) >= 1 and x.read("waiting") == "1"


def test_executors_agree():
    configuration = "FromDevice(in) -> Strip(14) -> CheckIP6Header -> IP6Reassembler -> Queue -> ToDevice(out);"
    link = bytes(12) + b"\x86\xdd"
    pieces = [link + bytes(piece) for ident in range(20) for piece in fragments(64, 128, ident=ident)[:: 1 if ident % 2 else -1]]
    assert_equivalent(configuration, [("in", piece) for piece in pieces])
    assert_equivalent(configuration, 2000, mix=IPV6)


PUNTS = [Reach("IP6Reassembler", headers="ip6-checked", mix=IPV6)]
