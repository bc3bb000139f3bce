from ._tcp import TCPElement


class TCPFin(TCPElement, ports="1/1-2"):
    """ends the streams of TCP connections

    The last step of a TCP (TCPConnections). Data pass to the application. After the last ones, those before the
    other side's FIN, a packet without data leaves: the stream has ended.

    Ports: one push input; push output 0, and output 1, which may be missing, for segments that end here.
    """
