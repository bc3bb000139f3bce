from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import Integer, IPAddress, Required
from clickbpf.vocabulary.element import PUSH, Element
from clickbpf.vocabulary.forms import MARKED

from ._code import membership


class IPOutputCombo(Element):
    """combines the steps of an IP router for outgoing packets

    Synopsis: `IPOutputCombo(COLOR, IPADDR, MTU)`

    DropBroadcasts, PaintTee(COLOR), IPGWOptions(IPADDR), FixIPSrc(IPADDR), DecIPTTL and CheckLength(MTU) in one element. It
    saves words, but no time: the compiler makes the same of the six elements. The kernel path hands packets over that have
    IP options, or that colour. A packet without a marked IP header is dropped.

    Arguments:

      - COLOR: packets of this paint annotation came from where they go to.
      - IPADDR: the address of the interface that packets leave by.
      - MTU: most bytes of a packet.

    Ports: one push input; five push outputs:

      - 0: packets in order;
      - 1: copies of packets of that colour, for an ICMPError of type redirect;
      - 2: packets with a malformed option, ICMP_PARAMPROB annotation set, for a parameterproblem;
      - 3: packets whose time is up, for a timeexceeded;
      - 4: packets longer than MTU, for an IPFragmenter.

    Example:

        FromDevice(eth0) -> IPInputCombo(1) -> out :: IPOutputCombo(2, 10.0.1.1, 1500) -> Discard;
        out[1] -> Discard;
        out[2] -> Discard;
        out[3] -> ICMPError(10.0.1.1, timeexceeded) -> Discard;
        out[4] -> IPFragmenter(1500) -> Discard;
    """

    takes = (MARKED,)
    bears_offloads = True
    ports = "1/5"
    processing = PUSH
    args = (Required("COLOR", Integer(signed=True)), Required("IPADDR", IPAddress()), Required("MTU", Integer()))
    annotations = ("ICMP_PARAMPROB", "FIX_IP_SRC")
    weight = 120

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"myaddr": ("__be32", IPAddress().c_value(self.cfg.ipaddr))}

    def code(self) -> str:
        return membership("my_address", (self.cfg.ipaddr,))
