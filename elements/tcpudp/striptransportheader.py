from clickbpf.declare import MARKED, Element


class StripTransportHeader(Element):
    """removes the TCP, UDP or ICMP header, and what comes before it

    A class of FastClick, whose names StripTCPHeader and StripUDPHeader mean the same. The packet then begins after the transport
    header that the annotation marks: a TCP header of the length that it states, or 8 bytes of UDP or ICMP, by the IP header's
    protocol. For other protocols the packet begins at the annotation. The annotations stay, so UnstripTransportHeader and
    UnstripIPHeader bring the headers back. A packet that is shorter, or has no header annotations, is dropped.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPFilter(allow tcp) -> StripTransportHeader -> Print -> UnstripTransportHeader
            -> UnstripIPHeader -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    takes = (MARKED,)
    aliases = ("StripTCPHeader", "StripUDPHeader")
