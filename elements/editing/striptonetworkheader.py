from __future__ import annotations

from clickbpf.vocabulary.element import Element


class StripToNetworkHeader(Element):
    """removes everything before the network header

    Synopsis: `StripToNetworkHeader`

    Packets begin at their network header afterwards, wherever it is marked: bytes stripped after it come back, as by
    Unstrip. A packet without a network header annotation is dropped. One whose header is marked beyond its end is left
    with no bytes.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> CheckIPHeader(14) -> StripToNetworkHeader -> Print -> Discard;
    """

    weight = 25
