"""Strip: bytes go from the start, header annotations stay with the bytes they mark."""

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

FRAME = bytes(range(64))


def test_a_shorter_packet_is_left_without_bytes(element, capfd):
    """Click's Packet::pull says so."""
    x = element("Strip(65)")
    x.gives(FRAME, b"")
    assert "Packet::pull 65 > length 64" in capfd.readouterr().err


TRIALS = {
    "bytes are removed": [Trial(f"Strip({length})").gives(FRAME, FRAME[length:], mac=-length) for length in [0, 1, 14, 63, 64]],
}

CASES = [
    Case("Strip(14)", packets=1000),
    Case("Strip(40)", headers="ip", packets=1000),
]

PUNTS = [Reach("Strip(60)")]
