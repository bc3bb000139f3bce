"""StripToNetworkHeader: packets begin at their network header."""

import pytest

from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.reach import Reach
from clickbpf.testing.single import element_configuration

FRAME = bytes(range(64))


@pytest.mark.parametrize("before, start", [("MarkIPHeader(14)", 14), ("MarkIPHeader(0)", 0), ("MarkIPHeader(14) -> Strip(30)", 14)])
def test_packets_begin_at_the_header(element, before, start):
    x = element("StripToNetworkHeader", before=before)
    x.send(FRAME)
    assert x.expect(0, FRAME[start:]).carried.network == 0


def test_a_header_beyond_the_end_leaves_nothing(element):
    x = element("StripToNetworkHeader", before="MarkIPHeader(65)")
    x.send(FRAME)
    x.expect(0, b"")


@pytest.mark.needs("root")
@pytest.mark.parametrize("before", ["MarkIPHeader(14)", "MarkIPHeader(14) -> Strip(30)", "MarkIPHeader(50)"])
def test_both_executors_agree(before):
    assert_equivalent(element_configuration("StripToNetworkHeader", before=before))


#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [Reach("StripToNetworkHeader", before="MarkIPHeader(50)")]

UNREACHED = {
    "StripToNetworkHeader": {
        "striptonetworkheader.c: return pkt_push(p, -offset) ? OUTPUT(0) : PUNT;": "marked headers are in the frame: there is room",
    }
}
