from ipaddress import IPv6Address

from clickbpf.declare import BEARS_OFFLOADS, Constants, Element, IP6Address, Optional

NOBODY = IPv6Address(0)


class ICMP6PingResponder(Element, ports="1/1-2", processing="a/ah", traits=BEARS_OFFLOADS):
    """turns ICMPv6 echo requests into replies

    An echo request (RFC 4443, 4.1) becomes its reply and leaves by output 0: source and destination are exchanged, and the hop
    limit becomes 255; the checksum is updated, so a wrong one stays wrong. The destination address annotation becomes the reply's
    destination, the paint annotation zero. All other packets leave unchanged by output 1, or are dropped if there is no output 1,
    including requests after extension headers, requests from sources other than a single node, and packets without a marked IPv6
    header (CheckIP6Header, MarkIP6Header). Requests to multicast groups are answered from IP6 (RFC 4443, 4.2); without IP6 they are
    treated as other packets.

    The element doesn't check the destination of requests: put a routing table before it. Click has no such element; it is to IPv6
    what ICMPPingResponder is to IPv4.

    Example: FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> ICMP6PingResponder -> Discard;
    """

    args = (Optional("IP6", IP6Address(), NOBODY, "the source address of replies to multicast requests. Default none"),)
    annotations = ("DST_IP6", "PAINT")
    weight = 100

    def constants(self) -> Constants:
        return {"answers_groups": ("bool", str(self.cfg.ip6 != NOBODY).lower())}
