from clickbpf.declare import (
    BEARS_OFFLOADS, ETHER_HLEN, FRAME, PARTS_PLAIN, SAME, AlignmentRule, Element, IPAddress, IPPrefixNonContiguous, Integer,
    Keyword, ListOf, Optional, PerThread, Required, sum_handler, u64,
)

from ._sources import source_tests
from .checkipheader import CheckIPHeader

#: Bytes of an Ethernet header.
ETHERNET = 14


class IPInputCombo(Element, traits=BEARS_OFFLOADS | PARTS_PLAIN):
    """combines the steps of an IP router for incoming packets

    Paint(COLOR), Strip(14), CheckIPHeader and GetIPAddress(16) in one element, for packets with Ethernet headers. Bad packets are
    dropped. It saves typing, but no time: the compiler fuses the four elements anyway.

    Example: FromDevice(eth0) -> IPInputCombo(1, INTERFACES 10.0.0.1/24) -> DecIPTTL -> Discard;
    """

    alignment = AlignmentRule((FRAME,), moves=ETHER_HLEN, informed=True)
    args = (
        Required("COLOR", Integer(signed=True), "the paint annotation, of which 8 bits count"),
        Optional("BADSRC", ListOf(IPAddress()), (), "as in CheckIPHeader"),
        Keyword("INTERFACES", ListOf(IPPrefixNonContiguous()), (), SAME),
        Keyword("GOODDST", ListOf(IPAddress()), (), SAME),
    )
    annotations = ("DST_IP", "PAINT")
    state_types = {"counters": PerThread(drops=u64)}
    enums = CheckIPHeader.enums
    weight = 180
    derived = {
        "color": ("__u8", lambda self: self.cfg.color & 0xFF),
        "offset": ("__u32", lambda self: ETHERNET),
        "checksum": ("bool", lambda self: True),
    }

    def code(self) -> str:
        return source_tests(self.cfg)

    drops = sum_handler("counters", text="packets dropped")
