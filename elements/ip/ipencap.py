from clickbpf.declare import (
    ANEW, DSCP, KEPT, WORD, AlignmentRule, ArgError, Bool, Constants, Enum, Held, IPAddress, IPProtocol, Integer, Keyword, Reconfigurable,
    Required, Vars,
)

from ._encap import ADDRESSED, REPLACED, Destination, Encap

#: Values of the ECN field (RFC 3168, section 5) by Click's words for ECT.
ECT = {**{word: int(value) for word, value in Bool.WORDS.items()}, "2": 2}
CONGESTION_EXPERIENCED = 3


class IPEncap(Reconfigurable, Encap):
    """puts packets into an IP header

    The header has no options; its length and checksum are those of the packet, its identification counts up from 0. It
    becomes the network header, and DST the destination address annotation.

    Example: one end of a tunnel:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> IPEncap(ipip, 18.26.4.24, 140.247.60.147, DF true)
            -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    alignment = AlignmentRule((WORD,), gives=WORD)
    destination = Destination()
    replaced = REPLACED
    args = (
        Required("PROTO", IPProtocol(), "what the packets are: an IP protocol by name or number (`ipip` is IP in IP)"),
        Required("SRC", IPAddress(), "the source address"),
        Required("DST", destination, "the destination address, or DST_ANNO for each packet's destination address annotation"),
        Keyword("TOS", Integer(8), text="the whole byte of DSCP and ECN instead, 0 to 255"),
        Keyword("TTL", Integer(8), 250, "time to live, 0 to 255"),
        Keyword("DSCP", DSCP(), text="differentiated services code point, 0 to 63, or a name such as ef. Default 0"),
        Keyword("ECT", Enum(**ECT), 0, "true or 1 for ECN Capable Transport (1), 2 for the other one"),
        Keyword("CE", Bool(), False, "true for Congestion Experienced; not with ECT"),
        Keyword("DF", Bool(), False, "true to forbid fragmentation"),
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

    def constants(self) -> Constants:
        cfg = self.cfg
        tos = (cfg.dscp or 0) << 2 | cfg.ecn if cfg.tos is None else cfg.tos
        return {"tos": ("__u8", str(tos))}
