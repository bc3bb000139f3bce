from ._tcp import TCPElement


class TCPDiscard(TCPElement, ports="1/0"):
    """discards what TCP connections receive (RFC 863)

    Put it after TCPFin. Where the stream ends, the connection is closed on this side, too.
    """
