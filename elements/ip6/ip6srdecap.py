from clickbpf.declare import NETWORK, Bool, Element, Form, Keyword


class IP6SRDecap(Element):
    """processes IPv6 segment routing headers, and removes them at the last segment

    A class of FastClick: an endpoint of segment routing (RFC 8754, 4.3.1). A packet with segments left gets the next segment as its
    destination. A packet without segments left loses the header, and gets the header's last segment as its destination. Packets
    without such a header pass unchanged. Packets with an inconsistent header are dropped (RFC 8754 specifies an ICMPv6 error). An
    endpoint also needs a DecIP6HLIM.

    The packet must begin with its IPv6 header, which becomes the network header; the destination also becomes the destination
    address annotation. Hop-by-hop and destination options may precede the segment routing header; the kernel path hands over such
    packets.

    Example: a router with the segment address 2001:db8:1::1:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> rt :: LookupIP6Route(2001:db8:1::1/128 0, ::/0 1);
        rt[0] -> IP6SRDecap -> DecIP6HLIM -> again :: LookupIP6Route(::/0 0) -> Discard;
        rt[1] -> Discard;
    """

    takes = (Form(begins=NETWORK),)
    args = (Keyword("FORCE_DECAP", Bool(), False, "also remove headers with segments left; the last segment then becomes the destination"),)
    annotations = ("DST_IP6",)
    weight = 150
