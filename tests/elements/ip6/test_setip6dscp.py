"""SetIP6DSCP: the upper six bits of the traffic class (RFC 2474)."""

import pytest
from tests.elements.ip6.packets import packet

from clickbpf.errors import ClickError
from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6


@pytest.mark.parametrize("tc", [0, 3, 0xFC, 0xFF])
def test_all_else_stays(element, tc):
    x = element("SetIP6DSCP(0)", headers="ip6")
    for dscp in (0, 46, 63):
        x.write("dscp", dscp)
        assert x.read("dscp") == str(dscp)
        x.gives(packet(tc=tc, fl=0xABCDE), packet(tc=dscp << 2 | tc & 3, fl=0xABCDE))


CASES = [Case("SetIP6DSCP(21)", headers="ip6", mix=IPV6)]


def test_mistakes(element):
    with pytest.raises(ClickError):
        element("SetIP6DSCP(3)").write("dscp", "64")
