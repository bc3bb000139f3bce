from clickbpf.declare import MARKED, Bool, Element, Optional


class IPMirror(Element):
    """exchanges source and destination of IP packets

    Swaps source and destination address; in the first fragment of a TCP or UDP packet also the ports, and for TCP the sequence and
    acknowledgement numbers. Checksums stay valid. Ports or numbers beyond the packet's end are left alone; a packet without a
    marked IP header (CheckIPHeader, MarkIPHeader) is dropped.

    Example: FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPMirror -> Discard;
    """

    same_form = True
    takes = (MARKED,)
    args = (Optional("DST_ANNO", Bool(), True, "whether the destination address annotation becomes the new destination"),)
    annotations = ("DST_IP",)
