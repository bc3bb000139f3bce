from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import Integer, IP6Address, IPProtocol, Keyword, Required
from clickbpf.vocabulary.state import Vars

from ._encap import ADDRESSED6, Destination6, Encap6


class IP6Encap(Encap6):
    """puts packets into an IPv6 header

    Synopsis: `IP6Encap(PROTO, SRC, DST, [HLIM ..., CLASS ...])`

    The payload length of the header is that of the packet, its flow label 0. The header becomes the network header, the packet's
    former beginning the transport header, and DST the destination address annotation.

    Arguments:

      - PROTO: the next header: an IP protocol by name or number (4 is IPv4, 41 is IPv6).
      - SRC: the source address.
      - DST: the destination address, or DST_ANNO for each packet's destination address annotation.
      - HLIM: hop limit, 0 to 255. Default 250.
      - CLASS: traffic class, 0 to 255. Default 0.

    Ports: one input, one output.

    Handlers:

      - `src`, `dst` (read, write): the arguments.

    Example: one end of a tunnel for IPv4 through IPv6:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> IP6Encap(ipip, 2001:db8:1::2, 2001:db8:2::2, HLIM 20)
            -> EtherEncap(0x86dd, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("PROTO", IPProtocol()),
        Required("SRC", IP6Address()),
        Required("DST", Destination6()),
        Keyword("HLIM", Integer(8), 250),
        Keyword("CLASS", Integer(8), 0),
    )
    state_types = {"vars": Vars(**ADDRESSED6)}
    holds = ()
    weight = 100

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"class_": ("__u8", str(getattr(self.cfg, "class")))}
