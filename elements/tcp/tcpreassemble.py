from ._tcp import TCPElement


class TCPReassemble(TCPElement, ports="1/1-2"):
    """puts the data of TCP connections in order

    The seventh step of a TCP (TCPConnections). Data that are next leave by output 0, with those from beyond the gap that they fill.
    Others are kept: at most BUFFER bytes of a connection, in at most 16 pieces. Segments without data end here, unless they
    carry the FIN that is next.

    Ports: one push input; push output 0, and output 1, which may be missing, for segments that end here.
    """
