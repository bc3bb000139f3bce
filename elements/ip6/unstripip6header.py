from clickbpf.declare import Element


class UnstripIP6Header(Element):
    """restores a removed IPv6 header

    The packet begins with its network header again, which CheckIP6Header or MarkIP6Header marked before StripIP6Header removed
    it. A packet that begins there already, or earlier, passes unchanged; a packet without the annotation is dropped.

    Example: packets are classified by what follows the IPv6 header:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> StripIP6Header -> c :: Classifier(0/0035, -);
        c[0] -> UnstripIP6Header -> Discard;
        c[1] -> Discard;
    """

    aliases = ("UnstripIP6",)
