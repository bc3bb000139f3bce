from clickbpf.declare import Element


class UnstripIPHeader(Element):
    """restores a removed IP header

    Makes the packet begin at its network header annotation again, which CheckIPHeader or MarkIPHeader set before StripIPHeader
    removed the header. A packet that begins there, or earlier, passes unchanged; a packet without the annotation is dropped.

    Example: classify by the payload, then restore the header:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> StripIPHeader -> c :: Classifier(0/0035, -);
        c[0] -> UnstripIPHeader -> Discard;
        c[1] -> Discard;
    """
