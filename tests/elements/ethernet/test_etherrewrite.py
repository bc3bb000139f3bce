"""EtherRewrite: both addresses replaced."""

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

REWRITE = "EtherRewrite(1:1:1:1:1:1, 2:2:2:2:2:2)"
FRAME = Ether(src="02:00:00:00:00:99", dst="02:00:00:00:00:01") / IP(dst="10.0.0.2") / UDP()


def rewritten(src: str = "01:01:01:01:01:01", dst: str = "02:02:02:02:02:02"):
    frame = FRAME.copy()
    frame.src, frame.dst = src, dst
    return frame


TRIALS = {
    "the addresses are replaced and nothing else": Trial(REWRITE).gives(FRAME, rewritten()),
    # FromDevice marked it, before the tag was put in front.
    "it is the marked header": Trial(REWRITE, before="EtherEncap(0x1234, 8:8:8:8:8:8, 9:9:9:9:9:9) -> MarkMACHeader(14)")
        .gives(FRAME, bytes.fromhex("090909090909 080808080808 1234") + bytes(rewritten())),
}

CASES = [
    Case(REWRITE),
    Case(REWRITE, before="Truncate(11)", packets=20),
]
