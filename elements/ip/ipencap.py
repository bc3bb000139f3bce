from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import ArgError, Bool, Enum, Integer, IPAddress, IPProtocol, Keyword, Required
from clickbpf.vocabulary.alignment import WORD, AlignmentRule
from clickbpf.vocabulary.held import ANEW, KEPT, Held
from clickbpf.vocabulary.state import Vars

from ._encap import ADDRESSED, Destination, Encap

#: Values of the ECN field (RFC 3168, section 5) by Click's words for ECT.
ECT = {**{word: int(value) for word, value in Bool.WORDS.items()}, "2": 2}
CONGESTION_EXPERIENCED = 3


class IPEncap(Encap):
    """puts packets into an IP header

    Synopsis: `IPEncap(PROTO, SRC, DST, [TOS ..., TTL ..., DSCP ..., ECT ..., CE ..., DF ...])`

    The header has no options; its length and checksum are those of the packet, its identification counts up from 0. It
    becomes the network header, and DST the destination address annotation.

    Arguments:

      - PROTO: what the packets are: an IP protocol by name or number (`ipip` is IP in IP).
      - SRC: the source address.
      - DST: the destination address, or DST_ANNO for each packet's destination address annotation.
      - TTL: time to live, 0 to 255. Default 250.
      - DSCP: differentiated services code point, 0 to 63. Default 0.
      - ECT: true or 1 for ECN Capable Transport (1), 2 for the other one. Default false.
      - CE: true for Congestion Experienced; not with ECT. Default false.
      - TOS: the whole byte of DSCP and ECN instead, 0 to 255.
      - DF: true to forbid fragmentation. Default false.

    Ports: one input, one output.

    Handlers:

      - `src`, `dst` (read, write): the arguments.

    Example: one end of a tunnel:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> IPEncap(ipip, 18.26.4.24, 140.247.60.147, DF true)
            -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    alignment = AlignmentRule((WORD,), gives=WORD)
    destination = Destination()
    reconfigurable = True
    args = (
        Required("PROTO", IPProtocol()),
        Required("SRC", IPAddress()),
        Required("DST", destination),
        Keyword("TOS", Integer(8)),
        Keyword("TTL", Integer(8), 250),
        Keyword("DSCP", Integer(8, high=63)),
        Keyword("ECT", Enum(**ECT), 0),
        Keyword("CE", Bool(), False),
        Keyword("DF", Bool(), False),
    )
    state_types = {"vars": Vars(**ADDRESSED)}
    holds = (Held("the next identification", ANEW, KEPT),)
    weight = 90

    def configure(self) -> None:
        cfg = self.cfg
        if cfg.tos is not None and cfg.dscp is not None:
            raise ArgError("cannot set both TOS and DSCP", argument="DSCP")
        if cfg.tos is not None and (cfg.ect or cfg.ce):
            raise ArgError("cannot set both TOS and ECN bits", argument="TOS")
        if cfg.ect and cfg.ce:
            raise ArgError("can set at most one ECN option", argument="CE")
        cfg.ecn = CONGESTION_EXPERIENCED if cfg.ce else cfg.ect

    def constants(self) -> Mapping[str, tuple[str, str]]:
        cfg = self.cfg
        tos = (cfg.dscp or 0) << 2 | cfg.ecn if cfg.tos is None else cfg.tos
        return {"tos": ("__u8", str(tos))}
