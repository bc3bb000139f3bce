from ._tcp import TCPElement


class TCPAcknowledge(TCPElement, ports="1/1-2"):
    """takes acknowledgements of TCP connections

    The sixth step of a TCP (TCPConnections): what is acknowledged need not be kept, the window may have changed, and the connection may
    be established, or over. An acknowledgement of what can't have been sent lately is answered, not believed (RFC 5961, 5).

    Click's TCPAck is another element: it makes acknowledgements.

    Ports: one push input; push output 0, and output 1, which may be missing, for segments that end here.
    """
