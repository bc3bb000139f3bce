from clickbpf.declare import BEARS_OFFLOADS, Integer, Optional, Reconfigurable


class MarkMACHeader(Reconfigurable, traits=BEARS_OFFLOADS):
    """marks the MAC header for other elements

    Sets the MAC header annotation and, with LENGTH, the network header annotation after it. Packets too short for that pass
    unchanged.

    Example: FromDevice(eth0) -> MarkMACHeader(0, 14) -> Discard;
    """

    args = (
        Optional("OFFSET", Integer(), 0, "bytes in front of the MAC header"),
        Optional("LENGTH", Integer(), 0, "bytes of the MAC header. Default 0: the network header annotation isn't changed"),
    )
