"""Strip: bytes go from the start, header annotations stay with the bytes they mark."""

import pytest

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

FRAME = bytes(range(64))


@pytest.mark.parametrize("length", [0, 1, 14, 63, 64])
def test_bytes_are_removed(element, length):
    x = element(f"Strip({length})")
    x.send(FRAME)
    seen = x.expect(0, FRAME[length:])
    assert seen.carried.mac == -length


def test_a_shorter_packet_is_left_without_bytes(element, capfd):
    """Click's Packet::pull says so."""
    x = element("Strip(65)")
    x.send(FRAME)
    x.expect(0, b"")
    assert "Packet::pull 65 > length 64" in capfd.readouterr().err


CASES = [
    Case("Strip(14)", packets=1000),
    Case("Strip(40)", headers="ip", packets=1000),
]


#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [Reach("Strip(60)")]
