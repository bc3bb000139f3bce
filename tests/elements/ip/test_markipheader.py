"""MarkIPHeader: sets header annotations, and checks nothing."""

import pytest
from scapy.layers.inet import IP, UDP

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

LINK = bytes(12) + b"\x08\x00"


@pytest.mark.parametrize("words", range(16))
def test_the_transport_header_is_where_the_header_length_says(element, words):
    packet = LINK + bytes(IP(ihl=words) / UDP()) + bytes(60)
    mark = element("MarkIPHeader(14)")
    mark.send(packet)
    carried = mark.expect(0, packet, DST_IP=0).carried
    assert (carried.network, carried.transport) == (14, 14 + 4 * words)


def test_the_header_may_lie_before_the_data(element):
    mark = element("MarkIPHeader(-20)", before="Strip(34)")
    mark.send(LINK + bytes(IP() / UDP()))
    carried = mark.expect(0, bytes(IP() / UDP())[20:]).carried
    assert (carried.network, carried.transport) == (-20, 0)


def test_a_packet_that_ends_before_its_header(element):
    mark = element("MarkIPHeader(14)")
    mark.send(LINK)
    carried = mark.expect(0, LINK).carried
    assert (carried.network, carried.transport) == (14, 14)


CASES = [Case("MarkIPHeader(14)", packets=2000)]


#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [Reach("MarkIPHeader(-4)")]
