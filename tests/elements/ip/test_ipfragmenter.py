"""IPFragmenter: RFC 791, 3.2, and Click's documentation."""

import pytest
from scapy.layers.inet import IP, IPOption, IPOption_NOP, defragment
from scapy.packet import Raw
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.reach import Reach

#: The runtime splits packets; the first test and the last but one are about the kernel path.
NATIVE = pytest.mark.executors("native")

COPIED, NOT_COPIED = b"\x94\x04\x00\x00", b"\x07\x07\x04\x00\x00\x00\x00"
DATA = bytes(range(256)) * 12


def packet(size: int, **fields) -> IP:
    """A packet with this many bytes of data."""
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", "id": 77, "proto": 200, **fields}) / Raw(DATA[:size])


@pytest.fixture
def fragments(element):
    """The packets that leave an IPFragmenter by output 0 for one that it gets."""

    def of(arguments: str, sent, before: str = "") -> list:
        fragmenter = element(f"IPFragmenter({arguments})", noutputs=2, headers="ip-checked", before=before)
        fragmenter.send(sent)
        seen = [fragmenter.expect(0) for _ in range(int(fragmenter.read("fragments")))]
        fragmenter.expect_nothing()
        return seen

    return of


@NATIVE
@pytest.mark.parametrize("mtu", [28, 68, 100, 576, 1001])
def test_fragments_make_up_the_packet(fragments, mtu):
    """As IPFragmenter gives them to scapy, which puts them together again."""
    whole = packet(1200)
    seen = fragments(f"{mtu}", whole)
    room = (mtu - 20) // 8 * 8
    assert [len(s.data) - 20 for s in seen] == [room] * (1200 // room) + [1200 % room] * (1200 % room > 0)
    together = defragment([IP(s.data) for s in seen])
    assert len(together) == 1
    assert bytes(together[0]) == bytes(packet(1200))
    for s in seen:
        assert bytes(IP(s.data)) == bytes(packet_with_right_checksum(s.data))
        assert (s.carried.network, s.carried.transport) == (0, 20)


def packet_with_right_checksum(data: bytes) -> IP:
    made = IP(data)
    del made.chksum
    return made


@NATIVE
def test_fragments_of_a_fragment(fragments):
    """Offsets go on from the fragment's, and the last one keeps its More Fragments."""
    seen = [IP(s.data) for s in fragments("100", packet(200, frag=25, flags="MF"))]
    assert [(p.frag, int(p.flags)) for p in seen] == [(25, 1), (35, 1), (45, 1)]
    seen = [IP(s.data) for s in fragments("100", packet(200, frag=25))]
    assert [(p.frag, int(p.flags)) for p in seen] == [(25, 1), (35, 1), (45, 0)]


@NATIVE
def test_options_with_the_copied_flag_are_in_all_fragments(fragments):
    options = [IPOption(NOT_COPIED), IPOption_NOP(), IPOption(COPIED)]
    first, *others = [bytes(IP(s.data))[20 : 4 * IP(s.data).ihl] for s in fragments("100", packet(300, options=options))]
    assert first == NOT_COPIED + b"\x01" + COPIED
    assert others == [COPIED] * len(others) and len(others) > 2


def test_annotations_go_to_all_fragments(fragments):
    seen = fragments("100", packet(200), before="Paint(7)")
    assert [(s.carried["PAINT"], s.carried["DST_IP"], s.carried.device) for s in seen] == [(7, 0x0A000102, 0)] * 3


@NATIVE
def test_the_wish_not_to_be_split_can_be_ignored(fragments):
    """The sender may have given all packets one identification, so fragments get another."""
    seen = [IP(s.data) for s in fragments("100, false", packet(200, flags="DF"))]
    assert [(p.frag, int(p.flags)) for p in seen] == [(0, 1), (10, 1), (20, 0)]
    assert len({p.id for p in seen}) == 1
    assert b"".join(bytes(p.payload) for p in seen) == DATA[:200]


@NATIVE
@pytest.mark.parametrize("verbose, lines", [("false", 5), ("true", 7)])
def test_messages(element, capfd, verbose, lines):
    fragmenter = element(f"IPFragmenter(100, VERBOSE {verbose})", noutputs=2, headers="ip-checked")
    for _ in range(7):
        fragmenter.send(packet(200, flags="DF"))
    assert capfd.readouterr().err.count("IPFragmenter(100) DF 10.0.0.2 10.0.1.2 len=220\n") == lines


MIX = Mix(large=10, options=30)

TRIALS = {
    "what fits passes": Trial("IPFragmenter(100)", noutputs=2, headers="ip-checked")
        .passes(*(packet(size, flags="DF") for size in (0, 79, 80))).reads(fragments="0"),
    "what can not be split leaves by the other output": [
        Trial(f"IPFragmenter({arguments})", noutputs=2, headers="ip-checked").passes(sent, output=1).reads(drops="1", fragments="0")
        for arguments, sent in [("100", packet(200, flags="DF")), ("60", packet(200, options=[IPOption_NOP()] * 36))]
    ],
}

CASES = [Case("IPFragmenter(100, HEADROOM 0)", noutputs=2, headers="ip-in-ethernet", packets=2000, mix=MIX, handlers=["x.*"])]
PUNTS = [Reach("IPFragmenter(68)", noutputs=2, headers="ip-checked")]
