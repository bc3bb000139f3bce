"""SetIP6ECN: the lower two bits of the traffic class (RFC 3168)."""

import pytest
from tests.elements.ip6.packets import packet

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6


@pytest.mark.parametrize("word, value", [("no", 0), ("ect1", 1), ("ect2", 2), ("CE", 3), ("3", 3)])
def test_all_else_stays(element, word, value):
    x = element("SetIP6ECN(0)", headers="ip6")
    x.write("ecn", word)
    assert x.read("ecn") == word
    for tc in (0, 3, 0xFC, 0xFF):
        x.gives(packet(tc=tc, fl=0xABCDE), packet(tc=tc & 0xFC | value, fl=0xABCDE))


CASES = [Case("SetIP6ECN(2)", headers="ip6", mix=IPV6)]
