from ._tcp import TCPElement


class TCPEcho(TCPElement):
    """sends back what TCP connections receive (RFC 862)

    Put it between TCPFin and TCPOutput. What passes is to be sent by the connection that it came from, so the window that the
    connection announces is no wider than there is room for what waits to be acknowledged. Where the stream ends, the connection is
    closed on this side, too.
    """
