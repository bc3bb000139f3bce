from clickbpf.declare import Element


class StripToNetworkHeader(Element):
    """removes everything before the network header

    Packets then begin at their network header annotation; if they began after it, stripped bytes come back, as with Unstrip. A
    packet without a network header annotation is dropped. A packet that ends before its annotation becomes empty.

    Example: FromDevice(eth0) -> CheckIPHeader(14) -> StripToNetworkHeader -> Print -> Discard;
    """
