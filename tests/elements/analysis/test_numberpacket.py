"""NumberPacket and CheckNumberPacket: numbers in packets, and which of them came."""

import struct

import pytest
from scapy.layers.inet import IP, UDP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.reach import Reach

FRAME = bytes(range(100))


def numbered(number: int, offset: int = 40, order: str = "=") -> bytes:
    return FRAME[:offset] + struct.pack(f"{order}Q", number) + FRAME[offset + 8 :]


@pytest.mark.parametrize("before, front", [("", b""), ("Unstrip(4)", bytes(2) + b"\x08\x00")])
def test_their_ip_header_says_so(element, before, front):
    """Wherever it is. Its checksum stays right, as scapy reckons it."""
    x = element(f"NumberPacket({40 + len(front)})", headers="ip-checked", before=before)
    packet = IP(src="1.2.3.4", dst="5.6.7.8", id=77) / UDP(sport=1, dport=2, chksum=7) / b"abc"
    grown = bytes(packet)[20:] + bytes(9) + struct.pack("=Q", 0)
    x.send(packet)
    header = IP(src="1.2.3.4", dst="5.6.7.8", id=77, proto=17, len=48)
    x.expect(0, front + bytes(header) + grown)


def test_without_another_output_they_are_dropped(element, capfd):
    x = element("CheckNumberPacket(40, 4)")
    x.drops(numbered(4), FRAME[:47])
    assert (x.dropped("FILTERED"), x.dropped("MALFORMED")) == (1, 1)
    assert "x: 4 out of scope (count is 4)" in capfd.readouterr().err


CASES = [
    Case(text, noutputs=2 if text.startswith("Check") else 1, packets=500)
    for text in ["NumberPacket(60, NET_ORDER true)", "CheckNumberPacket(COUNT 65536)"]
]


@pytest.mark.needs("root")
def test_both_agree_on_numbered_packets():
    """Numbers that generated packets have of their own are beyond any count."""
    chain = "NumberPacket(20) -> x :: CheckNumberPacket(20, 400)"
    assert_equivalent(f"FromDevice(in) -> {chain} -> Queue -> ToDevice(out); x [1] -> Queue -> ToDevice(others);", 500)


TRIALS = {
    "packets are numbered from 0": [
        Trial(f"NumberPacket({arguments})").each((FRAME, numbered(number, offset, order)) for number in range(300)).reads(count="300")
        for arguments, offset, order in [("", 40, "="), ("92", 92, "="), ("OFFSET 3, NET_ORDER true", 3, ">")]
    ],
    "short packets grow": Trial("NumberPacket(50)")
        .gives(FRAME[:30], FRAME[:30] + bytes(20) + bytes(8)).gives(FRAME[:57], FRAME[:50] + struct.pack("=Q", 1)),
    "what came is counted": Trial("CheckNumberPacket(40, 4)", noutputs=2)
        .each(
            (numbered(number), numbered(number), output)
            for number, output in ((0, 0), (3, 0), (3, 0), (4, 1), (1 << 40, 1), (2**64 - 1, 1), (1, 0))
        )
        .passes(FRAME[:47], output=1).reads(dump="0: 1\n1: 1\n2: 0\n3: 2\n", max="[3] : 2", min="[2] : 0", count="4"),
    "network byte order": Trial("CheckNumberPacket(OFFSET 8, COUNT 300, NET_ORDER true)", noutputs=2)
        .gives(numbered(258, 8, ">")).reads(max="[258] : 1"),
    "how many there are can change": Trial("CheckNumberPacket", noutputs=2)
        .reads(max="[-1] : -1", min="[-1] : 2147483647", dump="").write("count", "2").gives(numbered(1)).write("count", "1")
        .write("count", "3").reads(dump="0: 0\n1: 0\n2: 0\n").refuses("count", "65537").refuses("count", "-1").refuses("count", "x")
        .reads(count="3"),
}

PUNTS = [Reach("NumberPacket(300)"), Reach("CheckNumberPacket(20, 3)", noutputs=2)]
