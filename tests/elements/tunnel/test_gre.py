"""GREEncap, CheckGREHeader, StripGREHeader: RFC 2784 and RFC 2890."""

import struct

import pytest
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.reach import FULL, Reach

PAYLOAD = bytes(range(1, 60))
CHECKSUM, ROUTING, KEY, SEQUENCE, STRICT, RECURSION, RESERVED = 0x8000, 0x4000, 0x2000, 0x1000, 0x0800, 0x0400, 0x0200


def ones_complement(data: bytes) -> int:
    """The checksum of RFC 1071, as it says: words added, carries brought round."""
    data += bytes(len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def gre(
    flags: int = 0, protocol: int = 0x0800, key: int | None = None, number: int | None = None, payload: bytes = PAYLOAD, wrong: int = 0
):
    """A GRE packet; with CHECKSUM among `flags` its checksum is right but for the bits of `wrong`."""
    flags |= (0 if key is None else KEY) | (0 if number is None else SEQUENCE)
    rest = b"".join(struct.pack(">I", word) for word in (key, number) if word is not None) + payload
    front = struct.pack(">HH", flags, protocol)
    if not flags & CHECKSUM:
        return front + rest
    return front + struct.pack(">HH", ones_complement(front + bytes(4) + rest) ^ wrong, 0) + rest


GOOD = gre(CHECKSUM, key=7, number=1)


BAD = {
    "bad GRE version": [gre(1), gre(4), gre(ROUTING | 2)],
    "bad GRE header length": [gre(bit) for bit in (ROUTING, STRICT, RECURSION)] + [GOOD[:15]],
    "bad GRE checksum": [gre(key=7, number=5), gre(CHECKSUM, key=7, number=5, wrong=1), gre(CHECKSUM, key=7, number=5)[:-1]],
    "invalid key": [gre(CHECKSUM, number=6), gre(CHECKSUM, key=8, number=6)],
    "out of sequence": [gre(CHECKSUM, key=7), gre(CHECKSUM, key=7, number=0), GOOD, gre(CHECKSUM, key=7, number=0x80000001)],
}


def test_bad_headers_and_why(element):
    """Nothing that is wrong takes its sequence number with it."""
    x = element("CheckGREHeader(CHECKSUM true, KEY 7, SEQUENCE true, DETAILS true)", noutputs=2)
    x.passes(GOOD)
    for packets in BAD.values():
        for packet in packets:
            x.passes(packet, output=1)
    found = dict(reversed(line.split("\t")) for line in x.read("drop_details").splitlines())
    assert found == {"tiny packet": "0", **{reason: str(len(packets)) for reason, packets in BAD.items()}}
    x.gives(gre(CHECKSUM, key=7, number=2))


@pytest.mark.parametrize("first", [0, 1, 0x7FFFFFFE])
def test_sequences_go_round(element, first):
    x = element("CheckGREHeader(SEQUENCE true)", noutputs=2)
    for step, output in ((0, 0), (0, 1), (0x7FFFFFFF, 0), (5, 1), (0xFFFFFFFE, 0), (0xFFFFFFFF, 0), (0, 0)):
        packet = gre(number=(first + step) & 0xFFFFFFFF)
        x.passes(packet, output=output)


ALL = "CHECKSUM true, KEY 5, SEQUENCE true"


CASES = [
    Case(text, noutputs=2 if text.startswith("Check") else 1, packets=500)
    for text in [f"GREEncap(0x0800, {ALL})", f"CheckGREHeader({ALL})", "CheckGREHeader(OFFSET 16)", "StripGREHeader"]
]


@pytest.mark.needs("root")
def test_both_agree_on_the_way_through_a_tunnel():
    check = f"check :: CheckGREHeader({ALL}, DETAILS true)"
    text = f"FromDevice(in) -> GREEncap(0x0800, {ALL}) -> {check} -> StripGREHeader -> Queue -> ToDevice(out);"
    assert_equivalent(f"{text} check [1] -> Queue -> ToDevice(bad);", 500)


PUNTS = [
    Reach(f"GREEncap(0x0800, {ALL})", before=FULL),
    Reach(f"CheckGREHeader({ALL}, VERBOSE true)"),
]
UNDECIDED = "checkgreheader.c: if (!USERSPACE && mistake == SELF(UNDECIDED)) return PUNT;"

TRIALS = {
    "the header": [
        Trial(f"GREEncap({arguments})").gives(PAYLOAD, packet)
        for arguments, packet in [
            ("0x0800", gre()),
            ("0x86dd, KEY 0", gre(protocol=0x86DD, key=0)),
            ("PROTOCOL 0x6558, KEY 0x12345678", gre(protocol=0x6558, key=0x12345678)),
            ("0x0800, CHECKSUM true", gre(CHECKSUM)),
            ("0x0800, SEQUENCE true", gre(number=0)),
            ("0x0800, SEQUENCE true, CHECKSUM true, KEY 99", gre(CHECKSUM, key=99, number=0)),
        ]
    ],
    "checksums of any length": [
        Trial("GREEncap(0x0800, CHECKSUM true)").gives((PAYLOAD * 60)[:length], gre(CHECKSUM, payload=(PAYLOAD * 60)[:length]))
        for length in [14, 15, 511, 512, 1021, 3000]
    ],
    "sequence numbers count up": Trial("GREEncap(0x0800, SEQUENCE true)").each((PAYLOAD, gre(number=number)) for number in range(3)),
    # RFC 2784, 2.3: bits 6 to 12 are ignored.
    "good headers of which nothing is asked": [
        Trial("CheckGREHeader", noutputs=2).passes(*(packet for _ in range(2))).reads(drops="0")
        for packet in [GOOD, gre(), gre(payload=bytes(10)), gre(RESERVED | 8), gre(CHECKSUM, wrong=5), gre(key=1), gre(number=0)]
    ],
    "headers come off": [
        Trial(text).gives(front + packet, PAYLOAD)
        for text, front in (("StripGREHeader", b""), ("CheckGREHeader(OFFSET 7, STRIP true)", bytes(7)))
        for packet in [gre(), gre(key=1), GOOD]
    ],
}

UNREACHED = {"CheckGREHeader": {UNDECIDED: "other CPUs would have to change the number four times"}}
