"""GTPEncap and GTPDecap: the header of 3GPP TS 29.281, 5.1 and 5.2."""

import struct

import pytest
from scapy.contrib.gtp import GTP_U_Header, GTPPDUSessionContainer
from scapy.layers.inet import IP, UDP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.reach import FULL, Reach

PAYLOAD = bytes(range(50))
EXTENDED, NUMBERED, NPDU = 4, 2, 1


def gtp(
    options: int = 0, rest: bytes = PAYLOAD, teid: int = 0x01020304, flags: int = 0x30, type: int = 255, length: int | None = None
) -> bytes:
    return struct.pack(">BBHI", flags | options, type, len(rest) if length is None else length, teid) + rest


def extensions(*lengths: int) -> bytes:
    """Sequence number, N-PDU number, and extension headers of this many words; all but the last announce another."""
    types = [0x85] * len(lengths) + [0]
    chain = b"".join(bytes([words]) + bytes(4 * words - 2) + bytes([following]) for words, following in zip(lengths, types[1:]))
    return bytes(3) + bytes([types[0]]) + chain


def test_scapy_reads_it(element):
    inner = IP(src="10.0.0.2", dst="10.0.1.2") / UDP(dport=9) / b"data"
    x = element("GTPEncap(77)", headers="ip")
    x.send(inner)
    seen = GTP_U_Header(x.expect(0).data)
    assert (seen.version, seen.PT, seen.gtp_type, seen.length, seen.teid) == (1, 1, 255, len(inner), 77)
    assert bytes(seen[IP]) == bytes(inner)


def test_scapy_writes_it(element):
    inner = IP(src="10.0.0.2", dst="10.0.1.2") / UDP(dport=9) / b"data"
    packet = GTP_U_Header(teid=9, E=1, next_ex=0x85) / GTPPDUSessionContainer(type=1, QFI=5) / inner
    x = element("GTPDecap")
    x.send(bytes(packet))
    assert bytes(x.expect(0, AGGREGATE=9).data) == bytes(inner)


OTHERS = {
    "version 0": gtp(flags=0x10),
    "version 2": gtp(flags=0x50),
    "GTP'": gtp(flags=0x20),
    "echo request": gtp(NUMBERED, bytes(4) + PAYLOAD, type=1),
    "end marker": gtp(type=254),
    "longer than it is": gtp(length=51),
    "no room for options": gtp(NUMBERED, bytes(3)),
    "no room for the first extension": gtp(EXTENDED, bytes(3) + b"\x85"),
    "an extension without length": gtp(EXTENDED, bytes(3) + b"\x85" + bytes(20)),
    "an extension beyond the end": gtp(EXTENDED, bytes(3) + b"\x85\x05" + bytes(18)),
    "whose successor is beyond the end": gtp(EXTENDED, bytes(3) + b"\x85\x01\0\0\x85"),
}


@pytest.mark.parametrize("packet", OTHERS.values(), ids=OTHERS)
def test_other_packets(element, packet):
    """Unchanged by output 1, or dropped."""
    x = element("GTPDecap", noutputs=2)
    x.passes(packet, output=1, AGGREGATE=0)
    x = element("GTPDecap")
    x.drops(packet)
    assert x.dropped("MALFORMED") == 1


#: All flags, and whatever follows them.
FRAMES = [gtp(flags, bytes(3) + bytes([0x85]) + bytes([words] * n)) for flags in range(8) for words in range(4) for n in range(0, 45, 3)]
CASES = [
    Case(text, noutputs=noutputs, packets=[frame.ljust(14, b"\0") for frame in FRAMES])
    for text, noutputs in (("GTPEncap(0)", 1), ("GTPDecap", 2))
]


@pytest.mark.needs("root")
def test_both_agree_on_the_way_through_a_tunnel():
    text = "FromDevice(in) -> AggregateLength -> GTPEncap(0) -> UDPIPEncap(1.2.3.4, 2152, 5.6.7.8, 2152) -> CheckIPHeader"
    assert_equivalent(f"{text} -> CheckUDPHeader -> StripIPHeader -> Strip(8) -> GTPDecap -> Queue -> ToDevice(out);", 500)


@pytest.mark.executors("native")
def test_another_identifier_while_it_runs(element):
    x = element("GTPEncap(5)")
    x.write("config", "6")
    x.gives(PAYLOAD, gtp(teid=6))


TRIALS = {
    "the header": [Trial(f"GTPEncap({teid})").gives(PAYLOAD, gtp(teid=teid)) for teid in [1, 0x01020304, 0xFFFFFFFF]],
    "the annotation is the identifier": Trial("GTPEncap(0)", before="AggregateLength").gives(PAYLOAD, gtp(teid=50)),
    # With all that belongs to them; padding after what the length says is left alone.
    "headers come off": [
        Trial("GTPDecap", noutputs=2)
            .gives(gtp(options, more + PAYLOAD), PAYLOAD, AGGREGATE=0x01020304)
            .gives(gtp(options, more + PAYLOAD) + b"padding", PAYLOAD + b"padding")
        for options, more in [
            (0, b""),
            (NUMBERED, b"\1\2\0\0"),
            (NPDU, b"\1\2\3\x85"),  # whose last byte only counts with EXTENDED
            (EXTENDED, extensions()),
            (EXTENDED, extensions(1)),
            (EXTENDED | NUMBERED | NPDU, extensions(1, 3, 2)),
            (EXTENDED, extensions(*[1] * 4)),
            (EXTENDED, extensions(*[1] * 5)),
            (EXTENDED, extensions(2, *[1] * 60)),
            (EXTENDED, extensions(255)),
        ]
    ],
}

PUNTS = [
    Reach("GTPEncap(1)", before=FULL),
    Reach("GTPDecap", packets=[gtp(EXTENDED, extensions(*[1] * 9) + PAYLOAD)]),
]
