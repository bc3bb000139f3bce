"""Null: nothing happens to a packet."""

from clickbpf.testing.cases import Case
from clickbpf.vocabulary.library import Library

CASES = [Case("Null", before="Paint(7)", headers="ip", packets=500)]


def test_a_pulled_packet(router):
    r = router("FromDevice(eth0) -> Queue -> Null -> ToDevice(eth1);")
    r.forwards("eth0", bytes(range(64)), "eth1")


def test_click_has_eight_copies_of_it():
    assert Library.standard().find("Null8") is Library.standard().find("Null")
