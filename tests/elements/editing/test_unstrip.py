"""Unstrip: what Strip removed comes back."""

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach

FRAME = bytes(range(64))


@pytest.mark.parametrize(("strip", "unstrip"), [(14, 14), (20, 6), (64, 64)])
def test_removed_bytes_come_back(element, strip, unstrip):
    x = element(f"Unstrip({unstrip})", before=f"Strip({strip})")
    x.gives(FRAME, FRAME[strip - unstrip :])


def test_they_come_back_behind_a_handover(router):
    """The runtime goes on with a packet that the kernel path stripped."""
    r = router("FromDevice(eth0) -> Strip(14) -> Print(ACTIVE false) -> Unstrip(14) -> Queue -> ToDevice(eth1);")
    r.forwards("eth0", FRAME, "eth1")


def test_more_than_was_there_has_any_value(element):
    x = element("Unstrip(30)")
    seen = x.gives(FRAME)
    assert (len(seen.data), seen.data[30:], seen.carried.mac) == (94, FRAME, 30)


#: On frames that have the 14 bytes: what else would come back has any value.
CASES = [Case("Unstrip(14)", before="Strip(14)", packets=[bytes([n % 251] * (14 + n)) for n in range(500)])]
PUNTS = [Reach("Unstrip(20)", before=FULL)]


def test_headers_stay_with_their_bytes(element):
    """In the kernel the frame's start moves where the packet grows beyond it."""
    x = element("DecIPTTL", headers="ip-in-ethernet", before="Unstrip(4)")
    seen = x.gives(Ether() / IP(dst="10.0.0.1", ttl=9) / UDP())
    assert seen.data[4:] == bytes(Ether() / IP(dst="10.0.0.1", ttl=8) / UDP())
    assert (seen.carried.mac, seen.carried.network, seen.carried.transport) == (4, 18, 38)
