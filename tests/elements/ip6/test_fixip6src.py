"""FixIP6Src: the source address of messages that ask for one."""

from scapy.layers.inet import UDP
from scapy.layers.inet6 import ICMPv6TimeExceeded, IPv6, IPv6ExtHdrDestOpt
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6

ASKED = "Paint(1, FIX_IP_SRC)"
FIX = "FixIP6Src(2001:db8:1::1)"
#: Sums of addresses and data with carries, and without.
CAUSES = [b"", b"\xff" * 40, IPv6(src="fe80::1", dst="2001:db8::ffff:ffff") / UDP() / b"odd"]


def packet(source: str, cause=b"", **fields):
    return IPv6(src=source, dst="2001:db8::2", **fields) / ICMPv6TimeExceeded() / cause


TRIALS = {
    "messages that ask get the address and a right checksum": [
        Trial(FIX, headers="ip6", before=ASKED).gives(packet("2001:db8::ffff:1", cause), packet("2001:db8:1::1", cause), FIX_IP_SRC=0)
        for cause in CAUSES
    ],
    "others stay as they are": Trial(FIX, headers="ip6").passes(packet("2001:db8::1")),
    "what is no message keeps its wish": [
        Trial(FIX, headers="ip6", before=ASKED).passes(IPv6(src="2001:db8::1", dst="2001:db8::2") / rest, FIX_IP_SRC=1)
        for rest in [UDP(), IPv6ExtHdrDestOpt() / ICMPv6TimeExceeded()]
    ],
}

CASES = [Case(FIX, headers="ip6-in-ethernet", before=ASKED, mix=IPV6)]
