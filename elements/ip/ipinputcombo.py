from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import Integer, IPAddress, IPPrefixNonContiguous, Keyword, ListOf, Optional, Required
from clickbpf.vocabulary.alignment import ETHER_HLEN, FRAME, AlignmentRule
from clickbpf.vocabulary.element import Element, sum_handler
from clickbpf.vocabulary.state import PerThread, u64

from ._sources import source_tests
from .checkipheader import CheckIPHeader

#: Bytes of an Ethernet header.
ETHERNET = 14


class IPInputCombo(Element):
    """combines the steps of an IP router for incoming packets

    Synopsis: `IPInputCombo(COLOR, [BADSRC, INTERFACES ..., GOODDST ...])`

    Paint(COLOR), Strip(14), CheckIPHeader and GetIPAddress(16) in one element, for packets with Ethernet headers. Packets that
    CheckIPHeader would refuse are dropped. It saves words, but no time: the compiler makes the same of the four elements.

    Arguments:

      - COLOR: the paint annotation, of which 8 bits count.
      - INTERFACES, BADSRC, GOODDST: as in CheckIPHeader.

    Ports: one input, one output.

    Handlers:

      - `drops` (read): packets dropped.

    Example:

        FromDevice(eth0) -> IPInputCombo(1, INTERFACES 10.0.0.1/24) -> DecIPTTL -> Discard;
    """

    bears_offloads = True
    parts_plain = True
    alignment = AlignmentRule((FRAME,), moves=ETHER_HLEN, informed=True)
    args = (
        Required("COLOR", Integer(signed=True)),
        Optional("BADSRC", ListOf(IPAddress()), ()),
        Keyword("INTERFACES", ListOf(IPPrefixNonContiguous()), ()),
        Keyword("GOODDST", ListOf(IPAddress()), ()),
    )
    annotations = ("DST_IP", "PAINT")
    state_types = {"counters": PerThread(drops=u64)}
    enums = CheckIPHeader.enums
    weight = 180

    def constants(self) -> Mapping[str, tuple[str, str]]:
        color = ("__u8", str(self.cfg.color & 0xFF))
        return {"color": color, "offset": ("__u32", f"{ETHERNET}U"), "checksum": ("bool", "true")}

    def code(self) -> str:
        return source_tests(self.cfg)

    drops = sum_handler("counters")
