from clickbpf.declare import BEARS_OFFLOADS, Element, IPAddress, Required


class FixIPSrc(Element, traits=BEARS_OFFLOADS):
    """sets the source address of packets that ask for it

    A packet with a nonzero FIX_IP_SRC annotation gets IPADDR as its source address and a new header checksum, and the annotation is
    cleared. Elements that make packets, such as ICMPError, don't know which interface the packets will leave by, but their source
    must be that interface's address (RFC 1812, 4.3.2.4): so they set the annotation, and every interface's output path has a
    FixIPSrc with its own address. Packets without a marked IP header pass unchanged.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> ICMPError(18.26.4.24, unreachable, host) -> FixIPSrc(18.26.7.1) -> Discard;
    """

    same_form = True
    args = (Required("IPADDR", IPAddress(), "the new source address"),)
    annotations = ("FIX_IP_SRC",)
