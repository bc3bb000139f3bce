from clickbpf.declare import BEARS_OFFLOADS, Integer, Optional, Reconfigurable


class MarkMACHeader(Reconfigurable, traits=BEARS_OFFLOADS):
    """marks the MAC header for other elements

    Sets the MAC header annotation, and if the header's length is given, also the network header annotation, to what follows
    it. Packets that end before that pass as they are.

    Example:

        FromDevice(eth0) -> MarkMACHeader(0, 14) -> Discard;
    """

    args = (
        Optional("OFFSET", Integer(), 0, "bytes in front of the MAC header"),
        Optional("LENGTH", Integer(), 0, "bytes of the MAC header. Default 0: the network header annotation stays as it is"),
    )
