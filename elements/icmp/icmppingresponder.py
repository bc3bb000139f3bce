from clickbpf.declare import BEARS_OFFLOADS, MARKED, Element


class ICMPPingResponder(Element, ports="1/1-2", processing="a/ah", traits=BEARS_OFFLOADS):
    """turns ICMP echo requests into replies

    An echo request becomes its reply and leaves by output 0: source and destination are swapped, the TTL becomes 255, fragmentation
    flags and offset zero; checksums are updated, so wrong ones stay wrong. The destination address annotation becomes the reply's
    destination, the paint annotation zero. All other packets, and those without a marked IP header (CheckIPHeader, MarkIPHeader),
    leave unchanged by output 1, or are dropped if it isn't connected.

    The request's destination is not checked: put an IPClassifier or a routing table before the element. Source routes are not
    reversed.

    Example: FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> ICMPPingResponder -> Discard;
    """

    takes = (MARKED,)
    annotations = ("DST_IP", "PAINT")
    weight = 70
