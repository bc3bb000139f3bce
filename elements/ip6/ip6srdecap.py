from clickbpf.declare import NETWORK, Bool, Element, Form, Keyword


class IP6SRDecap(Element):
    """goes by IPv6 packets' segment routing headers, and removes them at the end

    A class of FastClick: an endpoint of segment routing (RFC 8754, 4.3.1). A packet that has segments left gets the next one as its
    destination. One that has none left loses the header, and its destination is the header's last segment. Packets without such a header
    pass as they are. Headers that contradict themselves are dropped with their packets, where RFC 8754 has an ICMPv6 error sent. A
    DecIP6HLIM belongs to an endpoint, too.

    The packet must begin with its IPv6 header, which becomes the network header; the destination also becomes the destination address
    annotation. The segment routing header may come after hop-by-hop and destination options, with which the runtime handles the packet.

    Example: the router that 2001:db8:1::1 is an address of:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> rt :: LookupIP6Route(2001:db8:1::1/128 0, ::/0 1);
        rt[0] -> IP6SRDecap -> DecIP6HLIM -> again :: LookupIP6Route(::/0 0) -> Discard;
        rt[1] -> Discard;
    """

    takes = (Form(begins=NETWORK),)
    args = (Keyword("FORCE_DECAP", Bool(), False, "also remove headers that have segments left: their last one is the destination then"),)
    annotations = ("DST_IP6",)
    weight = 150
