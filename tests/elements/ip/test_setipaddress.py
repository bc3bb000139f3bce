"""SetIPAddress: a fixed destination address annotation."""

import pytest
from scapy.layers.inet import IP, UDP

from clickbpf.errors import ClickError
from clickbpf.testing.cases import Case

PACKET = bytes(12) + b"\x08\x00" + bytes(IP(src="1.2.3.4", dst="5.6.7.8") / UDP())


def test_a_fixed_address(element):
    fixed = element("SetIPAddress(10.0.0.254)", before="GetIPAddress(26)")
    fixed.send(PACKET)
    fixed.expect(0, PACKET, DST_IP=0x0A0000FE)
    assert fixed.read("addr") == "10.0.0.254"


def test_the_fixed_address_can_change(element):
    fixed = element("SetIPAddress(10.0.0.254, ANNO 12)")
    fixed.write("addr", "4.3.2.1")
    fixed.send(PACKET)
    assert fixed.expect(0, PACKET, DST_IP=0).carried.annotations[12:16] == bytes([4, 3, 2, 1])
    with pytest.raises(ClickError, match="not an IP address"):
        fixed.write("addr", "4.3.2")
    assert fixed.read("addr") == "4.3.2.1"


CASES = [Case("SetIPAddress(1.2.3.4)", packets=500)]
