from clickbpf.declare import BEARS_OFFLOADS, Element


class EtherMirror(Element, traits=BEARS_OFFLOADS):
    """swaps the Ethernet addresses

    The source of each frame becomes its destination, and the other way round. Frames shorter than the two addresses are dropped.

    Example:

        FromDevice(eth0) -> EtherMirror -> Queue -> ToDevice(eth0);
    """
