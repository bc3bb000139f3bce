"""StripIPHeader: up to the transport header, whose annotation it goes by."""

import pytest
from scapy.layers.inet import IP, UDP, IPOption_NOP

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.reach import Reach


@pytest.mark.parametrize("options", [0, 4, 40])
def test_the_header_goes_and_its_annotation_stays(element, options):
    strip = element("StripIPHeader", headers="ip-checked")
    strip.send(IP(src="10.0.0.2", dst="10.0.1.2", options=[IPOption_NOP()] * options) / UDP() / b"data")
    carried = strip.expect(0, bytes(IP(src="10.0.0.2", dst="10.0.1.2") / UDP() / b"data")[20:], DST_IP=0x0A000102).carried
    assert (carried.network, carried.transport) == (-20 - options, 0)


def test_what_is_in_front_of_the_header_goes_too(element):
    strip = element("StripIPHeader", headers="ip-in-ethernet")
    strip.gives(bytes(12) + b"\x08\x00" + bytes(IP() / b"data"), b"data")


CASES = [Case("StripIPHeader", headers="ip", mix=Mix(wrong=40))]
PUNTS = [Reach("StripIPHeader", headers="ip", packets=400)]
