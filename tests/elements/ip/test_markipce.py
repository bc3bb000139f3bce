"""MarkIPCE: Congestion Experienced (RFC 3168, section 5)."""

import pytest
from scapy.layers.inet import IP, UDP

from clickbpf.testing.cases import Case


def test_packets_capable_of_ecn_are_marked_and_others_dropped(element):
    x = element("MarkIPCE", headers="ip-checked")
    for ecn in range(4):
        x.send(IP(tos=0xA8 | ecn) / UDP())
    for _ in range(3):
        x.expect(0, IP(tos=0xAB) / UDP())
    x.expect_nothing()
    assert x.read("drops") == "1" and x.dropped("FILTERED") == 1


@pytest.mark.parametrize("ecn", range(4))
def test_all_are_marked_by_force(element, ecn):
    x = element("MarkIPCE(true)", headers="ip-checked")
    x.gives(IP(tos=ecn) / UDP(), IP(tos=3) / UDP())


CASES = [Case(f"MarkIPCE({force})", headers="ip") for force in ["true", "false"]]
