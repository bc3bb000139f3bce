from clickbpf.declare import BEARS_OFFLOADS, Element, IP6Address, Required


class FixIP6Src(Element, traits=BEARS_OFFLOADS):
    """sets the source address of ICMPv6 messages that ask for it

    An ICMPv6 message with a nonzero FIX_IP_SRC annotation gets IP6 as its source address and an updated checksum, and the
    annotation is cleared. ICMP6Error doesn't know which interface its messages will leave by, but their source should be that
    interface's address (RFC 4443, 2.2; RFC 6724, 5): so it sets the annotation, and the output path of every interface has a
    FixIP6Src with its own address. All other packets pass unchanged, among them those without a marked IPv6 header (CheckIP6Header,
    MarkIP6Header), and messages after extension headers. Click has no such element; it is to IPv6 what FixIPSrc is to IPv4.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header
            -> ICMP6Error(2001:db8::1, unreachable) -> FixIP6Src(2001:db8:1::1) -> Discard;
    """

    args = (Required("IP6", IP6Address(), "the new source address"),)
    annotations = ("FIX_IP_SRC",)
