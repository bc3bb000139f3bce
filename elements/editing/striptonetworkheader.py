from clickbpf.declare import Element


class StripToNetworkHeader(Element):
    """removes everything before the network header

    Packets begin at their network header afterwards, wherever it is marked: bytes stripped after it come back, as by
    Unstrip. A packet without a network header annotation is dropped. One whose header is marked beyond its end is left
    with no bytes.

    Example:

        FromDevice(eth0) -> CheckIPHeader(14) -> StripToNetworkHeader -> Print -> Discard;
    """
