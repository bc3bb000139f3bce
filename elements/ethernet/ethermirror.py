from __future__ import annotations

from clickbpf.vocabulary.element import Element


class EtherMirror(Element):
    """swaps the Ethernet addresses

    Synopsis: `EtherMirror`

    The source of each frame becomes its destination, and the other way round. Frames shorter than the two addresses are dropped.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> EtherMirror -> Queue -> ToDevice(eth0);
    """

    bears_offloads = True
    weight = 20
