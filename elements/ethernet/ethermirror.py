from clickbpf.declare import BEARS_OFFLOADS, Element


class EtherMirror(Element, traits=BEARS_OFFLOADS):
    """swaps the Ethernet addresses

    Source and destination of each frame are exchanged. Frames shorter than the two addresses are dropped.

    Example: FromDevice(eth0) -> EtherMirror -> Queue -> ToDevice(eth0);
    """

    same_form = True
