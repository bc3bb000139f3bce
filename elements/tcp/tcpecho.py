from ._tcp import TCPElement


class TCPEcho(TCPElement):
    """sends back the data of TCP connections (RFC 862)

    Put it between TCPFin and TCPOutput. Data is sent by the connection that it came from, so a connection's announced window is
    limited by the room for unacknowledged data. At the end of the stream, the connection is closed on this side, too.
    """
