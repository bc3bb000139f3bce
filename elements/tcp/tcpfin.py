from ._tcp import TCPElement


class TCPFin(TCPElement, ports="1/1-2"):
    """ends the streams of TCP connections

    The last step of a TCP (TCPConnections). Data passes to the application. After the last data before the peer's FIN, a packet
    without data marks the end of the stream.
    """
