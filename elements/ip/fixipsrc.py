from __future__ import annotations

from clickbpf.args import IPAddress, Required
from clickbpf.vocabulary.element import Element


class FixIPSrc(Element):
    """sets the source address of packets that ask for it

    Synopsis: `FixIPSrc(IPADDR)`

    A packet whose FIX_IP_SRC annotation is not zero gets IPADDR as its source address and a new header checksum, and the
    annotation becomes zero. Elements that make packets, such as ICMPError, don't know by which interface they will leave,
    but the source has to be that interface's address (RFC 1812, 4.3.2.4): they set the annotation, and every
    interface's output path has a FixIPSrc with its own address. Packets without a marked IP header pass unchanged.

    Arguments:

      - IPADDR: the new source address.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> ICMPError(18.26.4.24, unreachable, host) -> FixIPSrc(18.26.7.1) -> Discard;
    """

    bears_offloads = True
    args = (Required("IPADDR", IPAddress()),)
    annotations = ("FIX_IP_SRC",)
    weight = 60
