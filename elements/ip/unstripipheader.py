from clickbpf.declare import Element


class UnstripIPHeader(Element):
    """brings back the IP header that was removed

    The packet begins with its network header annotation again, which CheckIPHeader or MarkIPHeader set before StripIPHeader
    removed the header. A packet that begins there, or earlier, passes unchanged; one without the annotation is dropped.

    Example: what follows the IP header is looked at by itself:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> StripIPHeader -> c :: Classifier(0/0035, -);
        c[0] -> UnstripIPHeader -> Discard;
        c[1] -> Discard;
    """
