from __future__ import annotations

from clickbpf.args import IP6Address, Required
from clickbpf.vocabulary.element import Element


class FixIP6Src(Element):
    """sets the source address of ICMPv6 messages that ask for it

    Synopsis: `FixIP6Src(IP6)`

    An ICMPv6 message whose FIX_IP_SRC annotation is not zero gets IP6 as its source address, its checksum is updated, and the
    annotation becomes zero. ICMP6Error doesn't know by which interface its messages will leave, but their source is the address
    that the router has there (RFC 4443, 2.2; RFC 6724, 5): it sets the annotation, and the output path of every interface has a
    FixIP6Src with its own address. All other packets pass unchanged, among them those without a marked IPv6 header
    (CheckIP6Header, MarkIP6Header), and messages after extension headers. Click has no such element; it is to IPv6 what FixIPSrc
    is to IPv4.

    Arguments:

      - IP6: the new source address.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header
            -> ICMP6Error(2001:db8::1, unreachable) -> FixIP6Src(2001:db8:1::1) -> Discard;
    """

    bears_offloads = True
    args = (Required("IP6", IP6Address()),)
    annotations = ("FIX_IP_SRC",)
    weight = 60
