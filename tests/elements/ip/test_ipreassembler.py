"""IPReassembler: fragments (RFC 791, 3.2) become packets, in whatever order they come."""

from random import Random

import pytest
from scapy.layers.inet import ICMP, IP, UDP, IPOption_NOP, fragment

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix

DATA = bytes(n * 7 % 256 for n in range(1400))


def packet(length=200, **fields) -> IP:
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", "id": 77, **fields}) / UDP(sport=1000, dport=53) / DATA[:length]


def piece(whole: IP, start: int, end: int) -> bytes:
    """The fragment of the payload's bytes [start, end)."""
    payload = bytes(whole.payload)
    header = whole.copy()
    header.remove_payload()
    header.len = header.chksum = None
    header.frag, header.proto = start // 8, 17
    header.flags = "MF" if end < len(payload) else 0
    return bytes(header / payload[start:end])


@pytest.fixture
def reassembler(element):
    return lambda arguments="", **options: element(f"IPReassembler({arguments})", headers="ip-checked", **options)


def test_what_is_no_fragment_passes(reassembler):
    x = reassembler()
    x.passes(packet())


@pytest.mark.parametrize("seed", range(6))
def test_any_order(reassembler, seed):
    """Of two packets at once, with copies among the fragments, and larger than the fragments' own buffers."""
    random = Random(seed)
    wholes = [packet(1400, id=7), packet(900, id=7, src="10.0.0.3")]
    pieces = [bytes(part) for whole in wholes for part in fragment(whole, random.choice((8, 64, 600)))]
    random.shuffle(pieces)
    x = reassembler()
    left = dict(zip(map(bytes, wholes), range(2)))
    for count, part in enumerate(pieces):
        if count % 3 == 0:
            # A second copy of what has come completes nothing.
            x.send(pieces[0] if count else part)
        x.send(part)
    for _ in wholes:
        del left[x.expect(0).data]
    x.read("dump")


def test_overlaps(reassembler):
    """The later one counts."""
    whole = packet(100)
    x = reassembler()
    x.send(piece(whole, 40, 108))
    other = IP(piece(whole, 0, 48))
    other.payload = bytes(8) + bytes(40)
    x.send(bytes(piece(whole, 0, 48)[:20]) + bytes(48))
    expected = whole.copy()
    expected.payload = bytes(48) + bytes(whole.payload)[48:]
    x.expect(0, bytes(IP(bytes(whole)[:20])) + bytes(48) + bytes(whole.payload)[48:])


def test_the_first_fragment_gives_header_and_annotations(router):
    """Options that are not copied into later fragments are in the first one (RFC 791), and so are bytes in front of the
    header."""
    text = (
        "FromDevice(a) -> p :: Paint(1) -> MarkIPHeader(14) -> x :: IPReassembler -> CheckPaint(2) -> Queue -> ToDevice(b);"
        "FromDevice(c) -> Paint(2) -> MarkIPHeader(14) -> x;"
    )
    whole = packet(100, options=[IPOption_NOP()] * 4)
    bare = packet(100)
    r = router(text)
    r.send("a", bytes(12) + b"\x08\x00" + piece(bare, 64, 108))
    r.send("c", b"\x02" * 12 + b"\x08\x00" + piece(whole, 0, 64))
    r.expect("b", b"\x02" * 12 + b"\x08\x00" + bytes(whole))
    assert "good reassemblies:   1\n" in r.read("x.dump")


def test_the_longest_fragment_is_annotated(reassembler):
    x = reassembler("MAX_MTU_ANNO 20", before="Paint(9)")
    for start, end in ((0, 64), (64, 144), (144, 208)):
        x.send(piece(packet(), start, end))
    x.expect(0, packet(), VLAN_TCI=100, PAINT=9, EXTRA_LENGTH=0)


@pytest.mark.parametrize(
    "wrong",
    [
        bytes(IP(flags="MF", len=20, proto=17)),
        bytes(IP(frag=8191, proto=17) / bytes(8)),
        bytes(IP(flags="MF", proto=17) / bytes(12)),
    ],
    ids=["no data", "beyond 65535", "no multiple of 8"],
)
def test_wrong_fragments(reassembler, wrong):
    x = reassembler()
    x.drops(wrong)
    assert x.dropped("MALFORMED") == 1
    assert "bad fragments seen:  1\n" in x.read("dump")


def test_nothing_comes_behind_the_end(reassembler):
    x = reassembler()
    x.send(piece(packet(), 64, 208))
    x.send(bytes(IP(src="10.0.0.2", dst="10.0.1.2", id=77, frag=26, proto=17, flags="MF") / bytes(8)))
    x.send(piece(packet(), 0, 64))
    x.expect(0, packet())
    assert x.dropped("MALFORMED") == 1


def test_dump(reassembler):
    x = reassembler()
    for start, end in ((32, 64), (16, 24), (0, 8), (64, 72)):
        x.send(piece(packet(), start, end))
    assert x.read("dump") == (
        "frags seen total:    4\ngood reassemblies:   0\nfailed reassemblies: 0\nbad fragments seen:  0\ncached chunk data:\n"
        " (10.0.0.2, 1000, 10.0.1.2, 53) 77 (0,8) (16,24) (32,72)\n"
    )


def test_dormant_packets_are_given_up(element):
    x = element("IPReassembler", noutputs=2, headers="ip-checked", simtime=True)
    x.router.advance(100)
    x.send(piece(packet(), 16, 24))
    x.router.advance(29)
    x.send(piece(packet(), 0, 8))
    x.router.advance(30)
    x.drops(piece(packet(id=1), 0, 8))
    x.router.advance(11)
    x.send(piece(packet(id=1), 8, 16))
    expected = piece(packet(), 0, 8) + bytes(8) + bytes(packet().payload)[16:24]
    x.expect(1, expected)
    x.expect_nothing()


def test_memory_is_bounded(element):
    x = element("IPReassembler(HIMEM 1000)", noutputs=2, headers="ip-checked", simtime=True)
    x.router.advance(100)
    for number in range(21):
        x.send(piece(packet(id=number), 8, 16))  # 16 + 40 bytes
        x.router.advance(0.5)
    # 18 of them are more than 1000 bytes: the 19th makes room until there are no more than 13; those of ten seconds and
    # those of five first.
    given_up = [IP(x.expect(1).data).id for _ in range(5)]
    x.expect_nothing()
    assert set(given_up) <= set(range(8))
    assert "failed reassemblies: 5\n" in x.read("dump")


def test_pings_of_any_length_come_back(router):
    """As the host that answers a ping does: reassemble, answer, fragment."""
    text = (
        "FromDevice(a) -> Strip(14) -> CheckIPHeader -> IPReassembler -> ICMPPingResponder -> IPFragmenter(576)"
        " -> EtherEncap(0x0800, 2:2:2:2:2:2, 3:3:3:3:3:3) -> Queue -> ToDevice(a);"
    )
    r = router(text)
    ping = IP(src="10.0.0.2", dst="10.0.1.2", id=9) / ICMP(id=1, seq=2) / DATA
    for part in reversed(fragment(ping, 256)):
        r.send("a", bytes(12) + b"\x08\x00" + bytes(part))
    answer = b""
    for _ in range(3):
        answer += bytes(r.expect("a"))[34:]
    r.expect_nothing()
    assert ICMP(answer).type == 0
    assert answer[8:] == DATA


CASES = [Case("IPReassembler", noutputs=2, headers="ip-checked", mix=Mix(addresses=("10.0.0.1",), wrong=2))]
