from ._tcp import TCPElement


class TCPDiscard(TCPElement, ports="1/0"):
    """discards the data of TCP connections (RFC 863)

    Put it after TCPFin. At the end of the stream, the connection is closed on this side, too.
    """
