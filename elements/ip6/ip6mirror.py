from clickbpf.declare import Element


class IP6Mirror(Element):
    """swaps source and destination of IPv6 packets

    Swaps the addresses, and the ports of TCP and UDP in packets that contain them: whole packets and first fragments, after at
    most 8 extension headers. (Click's element looks for ports only directly after the IPv6 header.) This changes no checksum. A
    packet without a marked IPv6 header (CheckIP6Header, MarkIP6Header) is dropped.

    Example: FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> IP6Mirror -> Discard;
    """

    weight = 150
