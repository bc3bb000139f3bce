"""TCPFragmenter: sound segments (scapy computes them anew) that together are the one that was too long."""

import pytest
from scapy.layers.inet import IP, TCP, IPOption_NOP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix

DATA = bytes(n * 7 % 256 for n in range(1400))


def segment(data: bytes, seq: int = 1000, flags: str = "PA", **fields) -> IP:
    options = [("NOP", None)] * 12
    return IP(src="10.0.0.2", dst="10.0.1.2", id=7, **fields) / TCP(sport=1, dport=80, seq=seq, ack=5, flags=flags, options=options) / data


#: An annotation that says 500.
ANNOTATED = "Paint(244, 20) -> Paint(1, 21)"


@pytest.mark.parametrize("options", [[], [IPOption_NOP()] * 8], ids=["plain", "ip options"])
@pytest.mark.parametrize("mtu", ["MTU 500", "MTU_ANNO 20", "MTU 1400, MTU_ANNO 20"])
def test_a_long_segment(element, mtu, options):
    x = element(f"TCPFragmenter({mtu})", headers="ip-checked", before=ANNOTATED)
    x.send(segment(DATA, flags="PAF", options=options))
    most = 500 - 52 - len(options)
    parts = range(0, len(DATA), most)
    for at in parts:
        flags = "PAF" if at + most >= len(DATA) else "PA"
        x.expect(0, segment(DATA[at : at + most], 1000 + at, flags, options=options))
    x.expect_nothing()
    assert [x.read(name) for name in ("count", "fragmented_count", "fragments")] == ["1", "1", str(len(parts))]


def test_the_smaller_mtu_counts_and_sequence_numbers_wrap(element):
    x = element("TCPFragmenter(MTU 300, MTU_ANNO 20)", headers="ip-checked", before="Paint(255, 21)")
    x.send(segment(DATA[:400], seq=2**32 - 100))
    x.expect(0, segment(DATA[:248], seq=2**32 - 100))
    x.expect(0, segment(DATA[248:400], seq=148))


CASES = [Case("TCPFragmenter(MTU 70)", headers="ip-checked", packets=1000, mix=Mix(large=10))]

TRIALS = {
    "what is short enough passes": [
        Trial("TCPFragmenter(MTU 500)", headers="ip-checked")
            .passes(segment(DATA[:length])).reads(count="1", fragmented_count="0", fragments="0")
        for length in [0, 100, 448]
    ],
    "headers in front are copied": Trial("TCPFragmenter(MTU 500)", headers="ip-in-ethernet")
        .send((bytes(range(12)) + b"\x08\x00") + bytes(segment(DATA[:500])))
        .expect(0, (bytes(range(12)) + b"\x08\x00") + bytes(segment(DATA[:448])))
        .expect(0, (bytes(range(12)) + b"\x08\x00") + bytes(segment(DATA[448:500], 1448))),
    "without headers": Trial("TCPFragmenter(MTU 500)").drops(bytes(60), reason="UNMARKED"),
}

MISTAKES = {"TCPFragmenter": "At least one of MTU and MTU_ANNO must be set"}
