from clickbpf.declare import MARKED, Element


class StripTransportHeader(Element):
    """removes the TCP, UDP or ICMP header, and what comes before it

    A class of FastClick, whose names StripTCPHeader and StripUDPHeader mean the same. What follows the transport header
    annotation begins the packet: after the length that a TCP header says, or 8 bytes of UDP or ICMP, as the IP header has it.
    Of other protocols nothing is removed after the annotation. The annotations stay, so UnstripTransportHeader and
    UnstripIPHeader bring the headers back. A packet that is shorter, or has no header annotations, is dropped.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPFilter(allow tcp) -> StripTransportHeader -> Print -> UnstripTransportHeader
            -> UnstripIPHeader -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    takes = (MARKED,)
    aliases = ("StripTCPHeader", "StripUDPHeader")
