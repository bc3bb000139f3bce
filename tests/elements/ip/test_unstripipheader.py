"""UnstripIPHeader: back to the network header."""

import pytest
from scapy.layers.inet import IP, UDP, IPOption_NOP

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix


@pytest.mark.parametrize("options", [0, 40])
def test_the_header_comes_back(element, options):
    x = element("UnstripIPHeader", headers="ip-checked", before="StripIPHeader")
    packet = IP(src="10.0.0.2", dst="10.0.1.2", options=[IPOption_NOP()] * options) / UDP() / b"data"
    x.send(packet)
    carried = x.expect(0, packet).carried
    assert (carried.network, carried.transport) == (0, 20 + options)


def test_what_begins_earlier_stays(element):
    x = element("UnstripIPHeader", headers="ip-in-ethernet")
    frame = bytes(12) + b"\x08\x00" + bytes(IP() / b"data")
    x.passes(frame)


CASES = [Case("UnstripIPHeader", headers="ip", before="StripIPHeader", packets=500, mix=Mix(wrong=0))]

UNREACHED = {
    name: {"unstripipheader.c: return pkt_push(p, -offset) ? OUTPUT(0) : PUNT;": "marked headers are in the frame: there is room"}
    for name in ("UnstripIPHeader", "UnstripIP6Header")
}
