from clickbpf.declare import Element


class UnstripTransportHeader(Element):
    """brings back the TCP, UDP or ICMP header that was removed

    A class of FastClick, also named UnstripTCPHeader there. The packet begins at its transport header annotation again. A packet
    that begins there, or earlier, passes unchanged; one without the annotation is dropped.

    Example: what follows the TCP header is looked at by itself:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPFilter(allow tcp) -> StripTransportHeader -> c :: Classifier(0/474554, -);
        c[0] -> UnstripTransportHeader -> UnstripIPHeader -> Discard;
        c[1] -> Discard;
    """

    aliases = ("UnstripTCPHeader",)
