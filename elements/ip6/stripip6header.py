from clickbpf.declare import Element


class StripIP6Header(Element):
    """removes the outermost IPv6 header with its extension headers

    Removes everything before the transport header annotation. The annotations stay: the network header is still the one that was
    removed, so that UnstripIP6Header can bring it back. If an IP packet follows, a CheckIPHeader or CheckIP6Header must come
    next, to mark the inner header. A packet that ends before its transport header is left empty, which the runtime reports on
    standard error; a packet without the annotation is dropped.

    Example: the receiving end of a tunnel:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> StripIP6Header -> CheckIP6Header -> Discard;
    """

    aliases = ("StripIP6",)
