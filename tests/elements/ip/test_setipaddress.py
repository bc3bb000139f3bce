"""SetIPAddress: a fixed destination address annotation."""

from scapy.layers.inet import IP, UDP

from clickbpf.testing.cases import Case

PACKET = bytes(12) + b"\x08\x00" + bytes(IP(src="1.2.3.4", dst="5.6.7.8") / UDP())


def test_a_fixed_address(element):
    fixed = element("SetIPAddress(10.0.0.254)", before="GetIPAddress(26)")
    fixed.passes(PACKET, DST_IP=0x0A0000FE)
    assert fixed.read("addr") == "10.0.0.254"


CASES = [Case("SetIPAddress(1.2.3.4)", packets=500)]
