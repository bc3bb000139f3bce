from clickbpf.declare import IP6Address, IPProtocol, Integer, Keyword, Reconfigurable, Required, Vars

from ..ip._encap import REPLACED
from ._encap import ADDRESSED6, Destination6, Encap6


class IP6Encap(Reconfigurable, Encap6):
    """puts packets into an IPv6 header

    The payload length of the header is that of the packet, its flow label 0. The header becomes the network header, the packet's
    former beginning the transport header, and DST the destination address annotation.

    Example: one end of a tunnel for IPv4 through IPv6:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> IP6Encap(ipip, 2001:db8:1::2, 2001:db8:2::2, HLIM 20)
            -> EtherEncap(0x86dd, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    replaced = REPLACED
    args = (
        Required("PROTO", IPProtocol(), "the next header: an IP protocol by name or number (4 is IPv4, 41 is IPv6)"),
        Required("SRC", IP6Address(), "the source address"),
        Required("DST", Destination6(), "the destination address, or DST_ANNO for each packet's destination address annotation"),
        Keyword("HLIM", Integer(8), 250, "hop limit, 0 to 255"),
        Keyword("CLASS", Integer(8), 0, "traffic class, 0 to 255"),
    )
    state_types = {"vars": Vars(**ADDRESSED6)}
    holds = ()
    weight = 100
    derived = {"class_": ("__u8", lambda self: getattr(self.cfg, "class"))}
