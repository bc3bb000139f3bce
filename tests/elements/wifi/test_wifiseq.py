"""WifiSeq numbers frames (IEEE 802.11, 9.2.4.4: the sequence number is above four bits that count fragments)."""

import pytest
from scapy.layers.dot11 import Dot11
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

FRAME = bytes(Dot11(type=2)) + b"inside"


def test_frames_are_numbered(element):
    x = element("WifiSeq")
    for number in range(3):
        seen = x.gives(FRAME, FRAME[:22] + bytes([number << 4, 0]) + FRAME[24:])
        in_frame = Dot11(seen.data).SC >> 4
        assert in_frame == number


@pytest.mark.parametrize(
    "arguments, sequence, expected",
    [
        ("", 0x0ABC, b"\xc0\xab"),
        ("", 0x1ABC, b"\xc0\xab"),
        ("SHIFT 0, BYTES 4, OFFSET 10", 0x01020304, b"\4\3\2\1"),
        ("SHIFT 8, BYTES 4, OFFSET 0", 0x01020304, b"\0\4\3\2"),
    ],
)
def test_forms(element, arguments, sequence, expected):
    x = element(f"WifiSeq({arguments})")
    x.write("seq", str(sequence))
    at = int(x.read("offset"))
    assert len(expected) == int(x.read("bytes"))
    x.gives(FRAME, FRAME[:at] + expected + FRAME[at + len(expected) :])
    assert x.read("seq") == f"{sequence + 1}\n"
    x.write("reset", "")
    assert x.read("seq") == "0\n"


def test_further_outputs_stay_unused(router):
    r = router("FromDevice(in) -> x :: WifiSeq -> Queue -> ToDevice(out); x[1] -> Discard;")
    r.forwards("in", FRAME, "out", FRAME[:22] + bytes(2) + FRAME[24:])


CASES = [Case("WifiSeq", packets=200)]

TRIALS = {
    "the annotation says so": Trial("WifiSeq").gives(FRAME, annotations={20: b"\x20\0\0\0"}),
    # As in Click.
    "packets that end with the number pass": Trial("WifiSeq").passes(FRAME[:24]).reads(seq="0\n"),
}

MISTAKES = {"WifiSeq(BYTES 3)": "BYTES must be either 2 or 4"}
