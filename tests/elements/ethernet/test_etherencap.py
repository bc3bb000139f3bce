"""EtherEncap: 14 bytes in front of a packet."""

import pytest
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


def test_handlers(element):
    """The numbers are those of Click's own test."""
    x = element(ENCAP, headers="ip")
    assert [x.read(name) for name in ("ethertype", "etht", "src", "dst")] == ["2048", "2048", "01-01-01-01-01-01", "02-02-02-02-02-02"]
    x.write("ethertype", "0x0801")
    x.write("src", "3:3:3:3:3:3")
    x.write("dst", "04-04-04-04-04-04")
    assert [x.read(name) for name in ("ethertype", "src", "dst")] == ["2049", "03-03-03-03-03-03", "04-04-04-04-04-04"]
    x.send(PACKET)
    assert x.expect(0).data[:14] == bytes.fromhex("040404040404 030303030303 0801")
    for handler, text in (("ethertype", "65536"), ("src", "x")):
        with pytest.raises(Exception, match="65535|Ethernet address"):
            x.write(handler, text)


CASES = [
    Case(ENCAP, headers="ip", packets=1000),
    Case(ENCAP, packets=500),
]


#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [Reach("EtherEncap(0x0800, 2:0:0:0:0:1, 2:0:0:0:0:2)", before=FULL)]
