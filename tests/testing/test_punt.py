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
    return assert_punts_unchanged(f"Punts({what})", packets=PACKETS, library=LIBRARY).count


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


def test_the_places_are_found_and_those_that_a_packet_comes_to():
    seen = [assert_punts_unchanged("Punts(NOTHING)", packets=packets, library=LIBRARY) for packets in (PACKETS[:1], PACKETS)]
    (place,) = seen[0].sites
    assert (place.file.name, str(place).endswith("return PUNT;")) == ("punts.c", True)
    assert place.file.read_text().splitlines()[place.line - 1].strip() == "return PUNT;"
    assert [punts.reached for punts in seen] == [frozenset(), frozenset({place})]


def test_the_surroundings_may_change_the_packet():
    """What elements before it do is no concern of the one that PUNTs."""
    assert assert_punts_unchanged("Punts(NOTHING)", before="Paint(3) -> Counter", packets=PACKETS, library=LIBRARY).count == 2
