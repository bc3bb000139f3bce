from clickbpf.declare import MARKED, Element


class StripIPHeader(Element):
    """removes the outermost IP header

    Removes everything before the transport header annotation. The annotations stay: the network header annotation still points to
    the removed header, so that UnstripIPHeader can restore it. To process an inner IP packet, mark its header by a CheckIPHeader or
    MarkIPHeader after this element. A packet that ends before its transport header becomes empty, which the runtime reports on
    standard error; a packet without the annotation is dropped.

    Example: the receiving end of a tunnel:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> StripIPHeader -> CheckIPHeader -> Discard;
    """

    takes = (MARKED,)
