"""The check of the PUNT rule catches what it should."""

from pathlib import Path

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.testing.punt import assert_punts_unchanged

pytestmark = pytest.mark.needs("root", "clang-19")

LIBRARY = (str(Path(__file__).parent / "elements"),)
ETHER = Ether(src="02:00:00:00:00:11", dst="02:00:00:00:00:01")
PACKETS = [ETHER / IP(dst="10.0.1.2", ttl=ttl) / UDP() for ttl in (64, 7, 8, 7)]


def check(what):
    return assert_punts_unchanged(f"Punts({what})", packets=PACKETS, library=LIBRARY)


def test_a_punt_before_all_changes_passes_and_is_counted():
    assert check("NOTHING") == 2


@pytest.mark.parametrize(
    "what, told",
    [
        ("BYTE", r"it changes the packet[\s\S]*IP +ttl +7 +8 +<-"),
        ("COUNT", "it changes its state: counters"),
        ("PULL", "it changes annotations or offsets"),
        ("PAINT", "it changes annotations or offsets"),
    ],
)
def test_a_late_punt_is_caught(what, told):
    with pytest.raises(AssertionError, match=told):
        check(what)


def test_the_surroundings_may_change_the_packet():
    """What elements before it do is no concern of the one that PUNTs."""
    assert assert_punts_unchanged("Punts(NOTHING)", before="Paint(3) -> Counter", packets=PACKETS, library=LIBRARY) == 2
