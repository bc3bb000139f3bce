"""EtherRewrite: both addresses replaced."""

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.testing.cases import Case

REWRITE = "EtherRewrite(1:1:1:1:1:1, 2:2:2:2:2:2)"
FRAME = Ether(src="02:00:00:00:00:99", dst="02:00:00:00:00:01") / IP(dst="10.0.0.2") / UDP()


def rewritten(src: str = "01:01:01:01:01:01", dst: str = "02:02:02:02:02:02"):
    frame = FRAME.copy()
    frame.src, frame.dst = src, dst
    return frame


def test_the_addresses_are_replaced_and_nothing_else(element):
    x = element(REWRITE)
    x.send(FRAME)
    x.expect(0, rewritten())


def test_it_is_the_marked_header(element):
    """FromDevice marked it, before the tag was put in front."""
    x = element(REWRITE, before="EtherEncap(0x1234, 8:8:8:8:8:8, 9:9:9:9:9:9) -> MarkMACHeader(14)")
    x.send(FRAME)
    assert x.expect(0).data == bytes.fromhex("090909090909 080808080808 1234") + bytes(rewritten())


CASES = [
    Case(REWRITE),
    Case(REWRITE, before="Truncate(11)", packets=20),
]
