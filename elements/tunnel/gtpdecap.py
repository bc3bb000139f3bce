from clickbpf.declare import Element


class GTPDecap(Element, ports="1/1-2", processing="a/ah"):
    """removes GTP-U headers

    A class of FastClick. The packet must begin with a GTP-U header of version 1 that carries a user's packet (3GPP TS 29.281,
    message 255). The header is removed with its options and extension headers, which FastClick leaves in place, and the aggregate
    annotation is set to its tunnel endpoint identifier. Other packets, such as echo requests and packets shorter than their headers
    require, leave unchanged by output 1, or are dropped if there is no output 1. (FastClick has no output 1, and removes eight
    bytes from these packets too.)

    The runtime handles packets with more than four extension headers.

    Example: packets from mobile phones, as their base station sends them:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> CheckUDPHeader -> IPFilter(allow udp dst port 2152) -> StripIPHeader
            -> Strip(8) -> GTPDecap -> CheckIPHeader -> Queue -> ToDevice(eth1);
    """

    annotations = ("AGGREGATE",)
    weight = 120
