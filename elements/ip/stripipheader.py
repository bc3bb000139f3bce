from clickbpf.declare import MARKED, Element


class StripIPHeader(Element):
    """removes the outermost IP header

    Everything in front of the transport header annotation goes. The annotations themselves stay: the network header is
    still the one that is gone, so that Unstrip can bring it back. For an IP packet within another a CheckIPHeader or
    MarkIPHeader has to follow, which marks the inner header. A packet that ends before its transport header is left with no
    bytes, which the runtime reports on standard error; one without the annotation is dropped.

    Example: the receiving end of a tunnel:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> StripIPHeader -> CheckIPHeader -> Discard;
    """

    takes = (MARKED,)
