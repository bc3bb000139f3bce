from clickbpf.declare import MARKED, Bool, Element, Optional


class IPMirror(Element):
    """exchanges source and destination of IP packets

    Source and destination address change places; in the first fragment of a TCP or UDP packet the ports do so, too, and in
    TCP sequence and acknowledgement number. Checksums don't mind. A packet too short to have the ports (or the numbers) keeps
    them; one without a marked IP header (CheckIPHeader, MarkIPHeader) is dropped.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPMirror -> Discard;
    """

    takes = (MARKED,)
    args = (Optional("DST_ANNO", Bool(), True, "whether the destination address annotation becomes the new destination"),)
    annotations = ("DST_IP",)
