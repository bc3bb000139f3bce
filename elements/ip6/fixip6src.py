from clickbpf.declare import BEARS_OFFLOADS, Element, IP6Address, Required


class FixIP6Src(Element, traits=BEARS_OFFLOADS):
    """sets the source address of ICMPv6 messages that ask for it

    An ICMPv6 message whose FIX_IP_SRC annotation is not zero gets IP6 as its source address, its checksum is updated, and the
    annotation becomes zero. ICMP6Error doesn't know by which interface its messages will leave, but their source is the address
    that the router has there (RFC 4443, 2.2; RFC 6724, 5): it sets the annotation, and the output path of every interface has a
    FixIP6Src with its own address. All other packets pass unchanged, among them those without a marked IPv6 header
    (CheckIP6Header, MarkIP6Header), and messages after extension headers. Click has no such element; it is to IPv6 what FixIPSrc
    is to IPv4.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header
            -> ICMP6Error(2001:db8::1, unreachable) -> FixIP6Src(2001:db8:1::1) -> Discard;
    """

    args = (Required("IP6", IP6Address(), "the new source address"),)
    annotations = ("FIX_IP_SRC",)
