"""EtherEncap: 14 bytes in front of a packet."""

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach

PACKET = IP(dst="10.0.0.2") / UDP()
ENCAP = "EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2)"


def test_the_header_is_put_in_front(element):
    x = element(ENCAP, headers="ip")
    x.send(PACKET)
    seen = x.expect(0, Ether(src="01:01:01:01:01:01", dst="02:02:02:02:02:02", type=0x0800) / PACKET)
    assert (seen.carried.mac, seen.carried.network) == (0, 14)


def test_where_no_header_was_before(element):
    x = element(ENCAP)
    x.send(bytes(64))
    assert x.expect(0).data == bytes.fromhex("020202020202 010101010101 0800") + bytes(64)


CASES = [
    Case(ENCAP, headers="ip", packets=1000),
    Case(ENCAP, packets=500),
]


#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [Reach("EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2)", before=FULL)]
